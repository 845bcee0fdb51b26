import sharp from 'sharp';
import { expect, test } from 'vitest';
import { frameLimits } from '#contract/movements.ts';
import { programsBelow, read } from '#test/integration/pictures/processes.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { livenessMeasurer } from '#test/support/examiners/liveness-measurer.ts';
import { runProgram } from '#test/support/program.ts';
import { faces } from '#test/support/specimens/looks/scenes.ts';
import type { Held } from './many-jobs.ts';

const jobs = 60;
/** The first jobs make what the later ones use again. */
const first = 20;
const mb = 1_000_000;

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

test(`of ${jobs} pictures that are decoded and looked at, nothing stays: no memory, no open file and no process`, async () => {
  const program = runProgram('test/integration/checks/hostile/many-jobs.ts', {}, [String(jobs)]);
  await expect(program.exited).resolves.toBe(0);
  expect(programsBelow(program.pid, 'program.ts')).toEqual([]);
  const held = program
    .output()
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Held] : []));
  expect(held).toHaveLength(jobs);
  const growth = (of: (each: Held) => number) =>
    median(held.slice(-first).map(of)) - median(held.slice(first, 2 * first).map(of));
  expect(growth(({ used }) => used)).toBeLessThan(mb);
  expect(growth(({ resident }) => resident)).toBeLessThan(10 * mb);
  expect(growth(({ files }) => files)).toBe(0);
}, 600_000);

test('a program that measures the most frames needs little more memory than for the fewest', async () => {
  const measurer = await livenessMeasurer();
  atTheEnd(measurer.close);
  const selfie = await faces([700]);
  // Nearly as large as a frame may be.
  const frame = await sharp(selfie).resize({ width: 1_200 }).jpeg().toBuffer();
  const memoryFor = async (count: number): Promise<number> => {
    let most = 0;
    const watch = setInterval(() => {
      for (const pid of programsBelow(process.pid, 'liveness/program.ts'))
        most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(read(pid, 'status') ?? '')?.[1] ?? 0) * 1024);
    }, 50);
    const measured = await measurer.measure(selfie, Array<Buffer>(count).fill(frame));
    clearInterval(watch);
    expect(measured.map((each) => each.faces)).toEqual(Array<number>(count).fill(1));
    return most;
  };
  const [fewest, most] = [await memoryFor(frameLimits.count.min), await memoryFor(frameLimits.count.max)];
  expect(fewest).toBeGreaterThan(100 * mb);
  expect(most - fewest).toBeLessThan(100 * mb);
});
