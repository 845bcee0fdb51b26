import { expect, test } from 'vitest';
import { forEachAtOnce } from '#services/portions/at-once.ts';
import { inPasses } from '#services/portions/in-passes.ts';

/** Passes over the numbers that are in `list` when they are read. */
const passesOver = (list: number[], limits: { rowsMax: number; batchSize: number }) => {
  const pass = inPasses({
    ...limits,
    first: 0,
    find: async (after, limit) => list.filter((number) => number > after).slice(0, limit),
    placeOf: (number) => number,
  });
  return async () => {
    const batches: number[][] = [];
    for await (const batch of pass()) batches.push(batch);
    return batches;
  };
};

test('a pass that is not at the end lets the next one go on, and the one after the end begins anew', async () => {
  const next = passesOver([1, 2, 3, 4, 5, 6, 7], { rowsMax: 5, batchSize: 2 });
  expect(await next()).toEqual([[1, 2], [3, 4], [5]]);
  expect(await next()).toEqual([[6, 7]]);
  expect(await next()).toEqual([[1, 2], [3, 4], [5]]);
});

test('a pass that ends exactly with the list is followed by one that finds nothing, and then by a new one', async () => {
  const next = passesOver([1, 2, 3, 4], { rowsMax: 4, batchSize: 2 });
  expect(await next()).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(await next()).toEqual([]);
  expect(await next()).toEqual([
    [1, 2],
    [3, 4],
  ]);
});

test('at most so many rows are handled at the same time, each once, and failures stop nobody', async () => {
  const rows = Array.from({ length: 50 }, (_, n) => n);
  const done: number[] = [];
  let [under, most] = [0, 0];
  const failed = await forEachAtOnce(
    rows,
    { atOnce: 4, signal: new AbortController().signal },
    async (row) => {
      most = Math.max(most, ++under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      if (row % 10 === 0) throw new Error('this row fails');
      done.push(row);
    },
  );
  expect(most).toBe(4);
  expect(failed).toBe(5);
  expect(done.sort((a, b) => a - b)).toEqual(rows.filter((row) => row % 10 !== 0));
});

test('after the signal no further row is begun', async () => {
  const controller = new AbortController();
  const begun: number[] = [];
  await forEachAtOnce([1, 2, 3, 4, 5], { atOnce: 2, signal: controller.signal }, async (row) => {
    begun.push(row);
    if (row === 2) controller.abort();
  });
  expect(begun).toEqual([1, 2]);
});
