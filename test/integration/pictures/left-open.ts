import { pino } from 'pino';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';

/** A program that has given a picture to a decoder and waits for it. The words are `loop`, and `bare` for no isolation. */

const log = pino();
const bare = { wrapper: [], namespaces: false };
const decoder = createPictureDecoder({
  isolation: process.argv.includes('bare') ? bare : await findIsolation(log),
  ...{ log, instruments: noInstruments },
  program: { file: new URL('./hostile.ts', import.meta.url) },
});
console.log('decoders started');
if (process.argv.includes('loop')) void decoder.take(Buffer.from('loop'), 'document');
setInterval(() => undefined, 1_000);
