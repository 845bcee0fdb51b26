import { parseArgs } from 'node:util';
import { pino } from 'pino';
import sharp from 'sharp';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import { takePicture } from '#platform/pictures/redraw.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { programsBelow, read } from '#test/integration/pictures/processes.ts';
import { differenceOf } from './parts/paired.ts';

/**
 * Measures what a process for each picture costs. A is the decoder in this process, B is the product's own. Each pair decodes the
 * same picture once by A and once by B, and every other pair begins with B. Usage: `node test/bench/decoders.ts [--pairs 40]`.
 */
const { values } = parseArgs({ options: { pairs: { type: 'string', default: '40' } } });
const pairs = Number(values.pairs);

const photograph = (width: number, height: number) =>
  sharp({
    create: {
      ...{ width, height, channels: 3, background: 'white' },
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .jpeg({ quality: 85 })
    .toBuffer();

const log = pino({ level: 'warn' });
const decoder = createPictureDecoder({
  isolation: await findIsolation(log),
  log,
  instruments: noInstruments,
});
const inside = (bytes: Buffer) => takePicture(bytes, 'document');
const apart = (bytes: Buffer) => decoder.take(bytes, 'document');

async function msOf(take: typeof inside, bytes: Buffer): Promise<number> {
  const startedMs = performance.now();
  const taken = await take(bytes);
  const tookMs = performance.now() - startedMs;
  if ('fault' in taken) throw new Error(taken.fault);
  return tookMs;
}

/** The proportional set size: pages that several processes share count in part. */
const memoryOf = (pid: number): number =>
  Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup') ?? '')?.[1] ?? 0) / 1024;

for (const [width, height] of [
  [1280, 960],
  [4000, 3000],
] as const) {
  const bytes = await photograph(width, height);
  const [a, b]: [number[], number[]] = [[], []];
  for (let pair = -2; pair < pairs; pair++) {
    const order = pair % 2 === 0 ? ([inside, apart] as const) : ([apart, inside] as const);
    for (const take of order) {
      const tookMs = await msOf(take, bytes);
      // The first pairs load code and are not counted.
      if (pair >= 0) (take === inside ? a : b).push(tookMs);
    }
  }
  const { a: insideMs, b: apartMs, from, to } = differenceOf(a, b);
  console.log(
    `${width} x ${height}: ${insideMs.toFixed(0)} ms in this process, ${apartMs.toFixed(0)} ms apart, ` +
      `ratio ${(apartMs / insideMs).toFixed(2)}, difference ${from.toFixed(0)} to ${to.toFixed(0)} ms`,
  );
}
for (const pid of programsBelow(process.pid, 'decoder.ts'))
  console.log(`a decoder that waits takes ${memoryOf(pid).toFixed(0)} MB`);
await decoder.close();
