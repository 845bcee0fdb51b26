import { beforeEach, expect, test, vi } from 'vitest';
import { createExpiringCache, type ExpiringCache } from '#platform/expiring-cache.ts';

type Row = { version: number };

let nowMs: number;
let cache: ExpiringCache<Row>;
const found = (version: number) => vi.fn(async () => ({ version }));
beforeEach(() => {
  nowMs = 1_000;
  cache = createExpiringCache<Row>({ entriesMax: 2, lifetimeMs: 4_000, clock: { monotonicMs: () => nowMs } });
});

test('a found value is cached for its lifetime and then read again', async () => {
  const second = found(2);
  expect(await cache.read('a', found(1))).toEqual({ version: 1 });
  nowMs += 4_000;
  expect(await cache.read('a', second)).toEqual({ version: 1 });
  expect(second).not.toHaveBeenCalled();
  nowMs += 1;
  expect(await cache.read('a', second)).toEqual({ version: 2 });
});

test('the lifetime counts from before the reading, which may take long', async () => {
  await cache.read('a', async () => {
    nowMs += 3_000;
    return { version: 1 };
  });
  nowMs += 1_001;
  expect(await cache.read('a', found(2))).toEqual({ version: 2 });
});

test('a missing value is not cached', async () => {
  expect(await cache.read('a', async () => undefined)).toBeUndefined();
  expect(await cache.read('a', found(1))).toEqual({ version: 1 });
});

test('a failed reading is not cached', async () => {
  await expect(cache.read('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.read('a', found(1))).toEqual({ version: 1 });
});

test('no more entries are kept than are allowed; the one used last stays', async () => {
  for (const name of ['a', 'b', 'a', 'c']) await cache.read(name, found(1));
  expect(await cache.read('a', found(2))).toEqual({ version: 1 });
  expect(await cache.read('b', found(2))).toEqual({ version: 2 });
});
