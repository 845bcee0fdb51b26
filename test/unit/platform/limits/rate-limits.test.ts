import { expect, onTestFinished, test, vi } from 'vitest';
import { createRateLimits } from '#platform/limits/rate-limits.ts';
import { createLog } from '#platform/log.ts';
import { covers } from '#test/requirements.ts';

const log = createLog({ level: 'silent', format: 'json' });
const inMemory = () => createRateLimits({ redisUrl: undefined, log });

test('counts down to zero, and what comes after is beyond the limit until the window ends', async () => {
  covers('4/rate-limit-remaining');
  const rateLimits = await inMemory();
  const remaining = [];
  for (let i = 0; i < 3; i++) remaining.push((await rateLimits.count('a', 3)).remaining);
  expect(remaining).toEqual([2, 1, 0]);
  const beyond = await rateLimits.count('a', 3);
  expect(beyond).toMatchObject({ limit: 3, remaining: 0, exceeded: true });
  expect(beyond.retryAfterSeconds).toBeGreaterThan(50);
  expect(beyond.retryAfterSeconds).toBeLessThanOrEqual(60);
});

test('of many at once exactly as many as the limit are within it', async () => {
  const rateLimits = await inMemory();
  const counted = await Promise.all(Array.from({ length: 300 }, () => rateLimits.count('a', 120)));
  expect(counted.filter(({ exceeded }) => !exceeded)).toHaveLength(120);
  expect(Math.min(...counted.map(({ remaining }) => remaining))).toBe(0);
});

test('buckets count apart, and a look counts nothing', async () => {
  const rateLimits = await inMemory();
  await rateLimits.count('a', 2);
  for (let i = 0; i < 5; i++) expect(await rateLimits.peek('a', 2)).toEqual({ limit: 2, remaining: 1 });
  expect(await rateLimits.peek('b', 2)).toEqual({ limit: 2, remaining: 2 });
});

test('the window is fixed: it ends a minute after its first request, however many come after', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const rateLimits = await inMemory();
  await rateLimits.count('a', 2);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await rateLimits.count('a', 2)).toMatchObject({ exceeded: false, retryAfterSeconds: 30 });
  expect(await rateLimits.count('a', 2)).toMatchObject({ exceeded: true, retryAfterSeconds: 30 });
  await vi.advanceTimersByTimeAsync(29_990);
  expect(await rateLimits.count('a', 2)).toMatchObject({ exceeded: true, retryAfterSeconds: 1 });
  await vi.advanceTimersByTimeAsync(10);
  expect(await rateLimits.count('a', 2)).toMatchObject({ exceeded: false, remaining: 1 });
});

test('a limit that is raised holds at once', async () => {
  const rateLimits = await inMemory();
  await rateLimits.count('a', 1);
  expect((await rateLimits.count('a', 1)).exceeded).toBe(true);
  expect(await rateLimits.count('a', 5)).toMatchObject({ limit: 5, exceeded: false });
});

test('without a Redis there is nothing to say of it', async () => {
  expect((await inMemory()).redis()).toBeUndefined();
});
