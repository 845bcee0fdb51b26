import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { startPictureLooker } from '#activities/checks/document/quick/looker.ts';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { passport } from '#test/support/specimens/hostile/pictures.ts';

/**
 * A process that has pictures decoded and looked at as the product does, one after the other. The word is how many. After each it prints, as
 * JSON, what the process itself holds: its memory in bytes, and its open files.
 */

export type Held = { used: number; resident: number; files: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const log = pino({ level: 'silent' });
const parts = { isolation: await findIsolation(log), log, instruments: noInstruments };
const [decoder, looker] = [createPictureDecoder(parts), startPictureLooker(parts)];

for (let done = 0; done < Number(process.argv[2]); done++) {
  const taken = await decoder.take(passport, 'document');
  if ('fault' in taken) throw new Error(taken.fault);
  const found = await looker.look('passport_page', taken.jpeg, new Date('2026-11-21T12:00:00Z'));
  if (found !== 'fine') throw new Error(found);
  collect();
  const { rss, heapUsed, external } = process.memoryUsage();
  const files = readdirSync('/proc/self/fd').length;
  console.log(JSON.stringify({ used: heapUsed + external, resident: rss, files } satisfies Held));
}
await Promise.all([decoder.close(), looker.close()]);
