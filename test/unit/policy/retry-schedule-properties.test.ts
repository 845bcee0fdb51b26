import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { retryAfterMs } from '#platform/outbound/answer.ts';
import { jittered, retryWaitsMs, waitAfter } from '#policy/retry-schedule.ts';
import { covers } from '#test/requirements.ts';
import { fc } from '#test/support/seed.ts';

const minute = 60_000;
const horizonMs = 8.5 * 60 * minute;

const random = fc.double({ min: 0, max: 1, noNaN: true });
const answer = fc.record({
  overloaded: fc.boolean(),
  retryAfterMs: fc.option(fc.oneof(fc.nat(20 * minute), fc.nat(2 * horizonMs))),
  random,
});

test('jitter moves a wait by at most 5 %, to whole milliseconds', () => {
  fc.assert(
    fc.property(fc.nat(horizonMs), random, (waitMs, number) => {
      const spread = jittered(waitMs, number);
      expect(Number.isInteger(spread)).toBe(true);
      expect(Math.abs(spread - waitMs)).toBeLessThanOrEqual(0.05 * waitMs + 0.5);
    }),
  );
});

test('a wait is as long as the schedule, the overload and the receiver want, but for the cap', () => {
  fc.assert(
    fc.property(answer, fc.nat(horizonMs), fc.nat(horizonMs), (given, scheduledWaitMs, waitedMs) => {
      const { waitMs, final } = waitAfter({ ...given, scheduledWaitMs, waitedMs });
      const wantedMs = Math.max(scheduledWaitMs, given.overloaded ? minute : 0, given.retryAfterMs ?? 0);
      expect(waitMs).toBe(Math.min(wantedMs, horizonMs - waitedMs));
      expect(final).toBe(wantedMs >= horizonMs - waitedMs);
    }),
  );
});

test('whatever a receiver asks for, there are at most six attempts, the last within 8 h 30 min; and six unless it asks for longer', () => {
  covers('6.4/six-attempts', '6.4/eight-hours', '8/delivery-attempts');
  const answers = fc.array(answer, { minLength: retryWaitsMs.length, maxLength: retryWaitsMs.length });
  fc.assert(
    fc.property(answers, (given) => {
      const waits = waitsOf(given);
      const sum = waits.reduce((total, wait) => total + wait, 0);
      expect(waits.length + 1).toBeLessThanOrEqual(limits.deliveryAttemptsMax);
      expect(sum).toBeLessThanOrEqual(horizonMs);
      if (waits.length < retryWaitsMs.length) expect(sum).toBe(horizonMs);
    }),
    { numRuns: 1_000 },
  );
});

type Answer = { overloaded: boolean; retryAfterMs: number | null; random: number };

/** Returns the waits of a delivery whose receiver gives these answers. */
function waitsOf(answers: readonly Answer[]): number[] {
  const waits: number[] = [];
  for (const [i, { random: number, ...given }] of answers.entries()) {
    const scheduledWaitMs = jittered(retryWaitsMs[i] ?? 0, number);
    const waitedMs = waits.reduce((total, wait) => total + wait, 0);
    const { waitMs, final } = waitAfter({ ...given, scheduledWaitMs, waitedMs });
    waits.push(waitMs);
    if (final) break;
  }
  return waits;
}

test('Retry-After means the same in seconds and as a date', () => {
  const now = Date.parse('2026-11-06T08:49:37Z');
  fc.assert(
    fc.property(fc.nat(999_999_999), (seconds) => {
      const date = new Date(now + seconds * 1_000).toUTCString();
      expect(retryAfterMs([String(seconds)], now)).toBe(seconds * 1_000);
      expect(retryAfterMs([date], now)).toBe(seconds * 1_000);
      expect(retryAfterMs([new Date(now - seconds * 1_000).toUTCString()], now)).toBe(0);
    }),
  );
});
