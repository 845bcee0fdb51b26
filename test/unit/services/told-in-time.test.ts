import { afterEach, expect, test, vi } from 'vitest';
import { inTime } from '#services/inspection/overview.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('a part that its server tells is told', async () => {
  expect(await inTime(Promise.resolve(3))).toBe(3);
});

test('a part whose server fails is null', async () => {
  expect(await inTime(Promise.reject(new Error('away')))).toBeNull();
});

test('a part whose server is slow is null, also if it fails later', async () => {
  vi.useFakeTimers();
  const slow = Promise.withResolvers<number>();
  const told = inTime(slow.promise);
  await vi.runAllTimersAsync();
  expect(await told).toBeNull();
  slow.reject(new Error('too late'));
});
