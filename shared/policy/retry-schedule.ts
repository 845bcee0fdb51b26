import { hourMs, minuteMs, secondMs } from '#contract/time.ts';

/**
 * The waits before attempts 2 to 6, in milliseconds (specification 6.4; decision 28). Together the waits last about 7 h 55 min. A
 * delivery makes one attempt more than there are waits.
 */
export const retryWaitsMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs + 20 * minuteMs,
];

const jitterShare = 0.05;
const overloadFloorMs = minuteMs;
const waitsHorizonMs = 8 * hourMs + 30 * minuteMs;

/**
 * Changes a wait at random by up to ±5 %. `random` is from 0 to 1. A workflow must pass Temporal's random number, which is the same
 * in a replay.
 */
export const jittered = (waitMs: number, random: number): number =>
  Math.round(waitMs * (1 + jitterShare * (2 * random - 1)));

export type FailedAttempt = {
  /** The wait of the schedule, after jitter was applied. */
  scheduledWaitMs: number;
  /** True after a time-out or the status 429, 502, 503 or 504. The next wait is then at least a minute. */
  overloaded: boolean;
  /** The wait that the receiver requested by Retry-After, counted from the arrival of its answer. */
  retryAfterMs: number | null;
  /** The sum of the planned waits so far. Delays by our own outages are not included. */
  waitedMs: number;
};

export type Wait = { waitMs: number; final: boolean };

/**
 * The wait after a failed attempt (decision 28). Retry-After can lengthen a wait, but all planned waits together last at most 8 h
 * 30 min. If a wait would reach or exceed this limit, it ends at the limit, and the attempt after it is the last. The limit counts
 * planned waits instead of real time, so our own outages never remove an attempt.
 */
export function waitAfter(attempt: FailedAttempt): Wait {
  const floorMs = attempt.overloaded ? overloadFloorMs : 0;
  const waitMs = Math.max(attempt.scheduledWaitMs, floorMs, attempt.retryAfterMs ?? 0);
  const leftMs = Math.max(waitsHorizonMs - attempt.waitedMs, 0);
  return waitMs < leftMs ? { waitMs, final: false } : { waitMs: leftMs, final: true };
}
