import { expect, test } from 'vitest';
import { memoryLimiter } from '#platform/limits/memory-limiter.ts';
import { createRateLimits } from '#platform/limits/rate-limits.ts';
import { createLog } from '#platform/log.ts';

const log = createLog({ level: 'silent', format: 'json' });
const window = { customDuration: 60 };

test('names that callers make up fill no memory: the one that was not used for longest is forgotten', async () => {
  const limiter = memoryLimiter(3);
  for (const name of ['a', 'b', 'c', 'a', 'd']) await limiter.consume(name, 1, window);
  expect(limiter.size()).toBe(3);
  expect((await limiter.get('a'))?.consumedPoints).toBe(2);
  expect(await limiter.get('b')).toBeNull();
});

test('names that callers make up do not make it forget what is counted for a day', async () => {
  const limiter = memoryLimiter(3);
  await limiter.consume('codes of a day', 1, { customDuration: 86_400 });
  for (const name of ['a', 'b', 'c', 'd']) await limiter.consume(name, 1, window);
  expect((await limiter.get('codes of a day'))?.consumedPoints).toBe(1);
  await limiter.consume('codes of a day', 1, { customDuration: 86_400 });
  expect((await limiter.get('codes of a day'))?.consumedPoints).toBe(2);
});

test('this holds for the counters of a process, however many names its callers make up', async () => {
  const rateLimits = await createRateLimits({ redisUrl: undefined, log });
  const [first, last] = ['first', 'name 99999'];
  await rateLimits.count(first, 2);
  for (let n = 0; n < 100_000; n++) await rateLimits.count(`name ${n}`, 2);
  expect((await rateLimits.peek(last, 2)).remaining).toBe(1);
  expect((await rateLimits.peek(first, 2)).remaining).toBe(2);
});

test('a look at a bucket holds nothing of it', async () => {
  const limiter = memoryLimiter();
  expect(await limiter.get('a')).toBeNull();
  expect(limiter.size()).toBe(0);
});

test('a bucket says when it has room again, and each can have a window of its own', async () => {
  const rateLimits = await createRateLimits({ redisUrl: undefined, log });
  expect(await rateLimits.waitSeconds('a', 1)).toBeUndefined();
  await rateLimits.count('a', 1);
  expect(await rateLimits.waitSeconds('a', 1)).toBeGreaterThan(50);
  expect(await rateLimits.waitSeconds('a', 2)).toBeUndefined();
  await rateLimits.count('day', 1, 86_400);
  expect(await rateLimits.waitSeconds('day', 1)).toBeGreaterThan(86_000);
});
