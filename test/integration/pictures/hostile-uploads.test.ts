import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { findIsolation } from '#platform/isolated/isolation.ts';
import { createPictureDecoder } from '#platform/pictures/decoders.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { watched } from '#test/support/examiners/watched.ts';
import { collectedLog, logFileFor } from '#test/support/run-logs.ts';
import { canary, hostile, passport } from '#test/support/specimens/hostile/pictures.ts';
import { programsBelow, read } from './processes.ts';

const lines = new PassThrough({ encoding: 'utf8' });
let logged = '';
lines.on('data', (text: string) => {
  logged += text;
});
const log = collectedLog('uploads', lines);
const errors = logFileFor('errors');
const isolation = watched(await findIsolation(log), errors);
const decoder = createPictureDecoder({ isolation, log, instruments: noInstruments });
atTheEnd(decoder.close);
const programs = () => programsBelow(process.pid, 'pictures/decoder.ts');

/** The most memory of one upload. Node and libvips alone take 80 MB. */
const memoryMax = 400_000_000;

async function taken(upload: Buffer) {
  let memory = 0;
  const watch = setInterval(() => {
    for (const pid of programs())
      memory = Math.max(memory, Number(/VmHWM:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1024);
  }, 20);
  const picture = await decoder.take(upload, 'document');
  clearInterval(watch);
  return { picture, memory };
}

const jpegOf = ({ picture }: Awaited<ReturnType<typeof taken>>): Buffer => {
  if ('fault' in picture) throw new Error(picture.fault);
  return picture.jpeg;
};

const size = { width: 480, height: 360 } as const;
const greyOf = (jpeg: Buffer) =>
  sharp(jpeg)
    .resize({ ...size, fit: 'fill' })
    .greyscale()
    .raw()
    .toBuffer();

/** The mean difference of two pictures in grey values. */
async function difference(a: Buffer, b: Buffer): Promise<number> {
  const [one, other] = [await greyOf(a), await greyOf(b)];
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

const good = jpegOf(await taken(passport));
/** The most by which the same picture differs. The shades of CMYK differ by 8, and a negative or another picture by more than 40. */
const sameMax = 12;

test.each(Object.entries(hostile).map(([what, { make, upload }]) => [what, upload, make] as const))(
  '%s: %s, and the next upload is taken as ever',
  async (_, upload, make) => {
    const [said, next] = await Promise.all([taken(await make()), taken(passport)]);
    if (upload === 'the passport') expect(await difference(jpegOf(said), good)).toBeLessThan(sameMax);
    else if (upload === 'nothing') expect(await difference(jpegOf(said), good)).toBeGreaterThan(3 * sameMax);
    else expect(said.picture).toEqual({ fault: upload });
    expect(said.memory).toBeLessThan(memoryMax);
    expect(jpegOf(next).equals(good)).toBe(true);
  },
);

test('of all that, nothing that was in a picture is in a log or among the errors of a program', () => {
  expect(logged + readFileSync(errors, 'utf8')).not.toContain(canary);
  for (const word of [canary, 'ERIKSSON']) expect(good.includes(word)).toBe(false);
});
