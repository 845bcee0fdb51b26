import { describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { type FailedAttempt, jittered, retryWaitsMs, waitAfter } from '#policy/retry-schedule.ts';
import { covers } from '#test/requirements.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('the schedule', () => {
  covers('6.4/retries', '6.4/six-attempts', '6.4/eight-hours', '8/delivery-attempts');

  test('waits 5 s, 5 min, 30 min, 2 h and 5 h 20 min: six attempts', () => {
    expect(retryWaitsMs).toEqual([5_000, 300_000, 1_800_000, 7_200_000, 19_200_000]);
    expect(retryWaitsMs.length + 1).toBe(limits.deliveryAttemptsMax);
  });

  test('takes 7 h 55 min and 5 s, which is about eight hours', () => {
    const sum = retryWaitsMs.reduce((total, wait) => total + wait, 0);
    expect(sum).toBe(7 * hour + 55 * minute + 5_000);
  });

  test('ends before the cap of 8 h 30 min even when every wait is spread to its longest', () => {
    const longest = retryWaitsMs.reduce((total, wait) => total + jittered(wait, 1), 0);
    expect(longest).toBeLessThan(8.5 * hour);
  });
});

describe('jitter', () => {
  test.each([
    [0, 95_000],
    [0.25, 97_500],
    [0.5, 100_000],
    [1, 105_000],
  ])('spreads by at most 5 %: random %d makes 100 s into %d ms', (random, waitMs) => {
    expect(jittered(100_000, random)).toBe(waitMs);
  });

  test('gives whole milliseconds, since timers take no other', () => {
    for (const random of [0.123_456, 0.777, 0.999_999])
      expect(jittered(5_000, random)).toSatisfy(Number.isInteger);
  });
});

describe('the wait after a failed attempt', () => {
  const failed = { scheduledWaitMs: 5_000, overloaded: false, retryAfterMs: null, waitedMs: 0 };
  const waitFor = (change: Partial<FailedAttempt>) => waitAfter({ ...failed, ...change });

  test('is the scheduled one', () => {
    expect(waitFor({})).toEqual({ waitMs: 5_000, final: false });
  });

  test('is a minute at least when the receiver is overloaded', () => {
    expect(waitFor({ overloaded: true })).toEqual({ waitMs: minute, final: false });
    expect(waitFor({ overloaded: true, scheduledWaitMs: 2 * minute }).waitMs).toBe(2 * minute);
  });

  test('is lengthened by Retry-After and never shortened', () => {
    expect(waitFor({ retryAfterMs: 2 * hour })).toEqual({ waitMs: 2 * hour, final: false });
    expect(waitFor({ retryAfterMs: 1_000 }).waitMs).toBe(5_000);
    expect(waitFor({ retryAfterMs: 0 }).waitMs).toBe(5_000);
    expect(waitFor({ retryAfterMs: 1_000, overloaded: true }).waitMs).toBe(minute);
  });

  test('ends at 8 h 30 min of waits: what would come later comes then, and is the last', () => {
    expect(waitFor({ retryAfterMs: 24 * hour })).toEqual({ waitMs: 8.5 * hour, final: true });
    expect(waitFor({ retryAfterMs: 2 * hour, waitedMs: 8 * hour })).toEqual({
      waitMs: 0.5 * hour,
      final: true,
    });
    expect(waitFor({ retryAfterMs: 0.5 * hour - 1, waitedMs: 8 * hour })).toEqual({
      waitMs: 0.5 * hour - 1,
      final: false,
    });
  });

  test('that ends exactly at 8 h 30 min is the last: another would come then as well', () => {
    expect(waitFor({ retryAfterMs: 8.5 * hour })).toEqual({ waitMs: 8.5 * hour, final: true });
  });

  test('is never negative', () => {
    expect(waitFor({ waitedMs: 9 * hour })).toEqual({ waitMs: 0, final: true });
  });

  test('counts planned waits only, so our own outage costs a delivery none of its attempts', () => {
    let waitedMs = 0;
    for (const wait of retryWaitsMs) {
      const { waitMs, final } = waitFor({ scheduledWaitMs: jittered(wait, 1), waitedMs });
      expect(final).toBe(false);
      waitedMs += waitMs;
    }
  });
});
