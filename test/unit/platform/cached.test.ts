import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { cachedFor } from '#platform/cached.ts';

function counted(lifetimeMs: number, fails = false) {
  let reads = 0;
  const read = cachedFor(lifetimeMs, async () => {
    reads++;
    if (fails) throw new Error('broken');
    return reads;
  });
  return { read, reads: () => reads };
}

test('callers within the lifetime share one read', async () => {
  const { read, reads } = counted(60_000);
  expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
  expect(await read()).toBe(1);
  expect(reads()).toBe(1);
});

test('after the lifetime there is a new read', async () => {
  const { read } = counted(20);
  await read();
  await pause(40);
  expect(await read()).toBe(2);
});

test('a failed read gives undefined', async () => {
  expect(await counted(60_000, true).read()).toBeUndefined();
});
