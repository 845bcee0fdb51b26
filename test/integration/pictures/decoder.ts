import { findIsolation } from '#platform/isolated/isolation.ts';
import type { Program } from '#platform/isolated/program.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { collectedLog } from '#test/support/run-logs.ts';

/** The product's decoder, isolated as far as this machine allows. It stops after the last test of the file. */
export async function pictureDecoder(program: Partial<Program> = {}, log = collectedLog('decoder')) {
  const isolation = await findIsolation(log);
  const decoder = createPictureDecoder({ isolation, log, instruments: noInstruments, program });
  atTheEnd(decoder.close);
  return decoder;
}
