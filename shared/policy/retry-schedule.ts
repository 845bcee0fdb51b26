const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Milliseconds before attempts 2 to 6 (specification 6.4; decision 28): six attempts over 7 h 55 min. A delivery makes
 * one attempt more than there are waits.
 */
export const retryWaitsMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour + 20 * minute,
];

const jitterShare = 0.05;
const overloadFloorMs = minute;
const waitsHorizonMs = 8 * hour + 30 * minute;

/** Spreads a wait by up to ±5 %. `random` is a number from 0 to 1; in a workflow Temporal's replay-safe one. */
export const jittered = (waitMs: number, random: number): number =>
  Math.round(waitMs * (1 + jitterShare * (2 * random - 1)));

export type FailedAttempt = {
  /** The schedule's wait, already spread by jitter. */
  scheduledWaitMs: number;
  /** Time-out, 429, 502, 503 or 504: give the receiver at least a minute. */
  overloaded: boolean;
  /** What the receiver asked for, from when its answer came. */
  retryAfterMs: number | null;
  /** All waits planned so far; an outage of ours is not among them. */
  waitedMs: number;
};

export type Wait = { waitMs: number; final: boolean };

/**
 * How long to wait after a failed attempt (decision 28). Retry-After can lengthen a wait, but the planned waits together
 * end 8 h 30 min after the first attempt: what would come later comes then, and is the last. As planned waits are counted
 * and not the clock, the cap limits what receivers ask for and never cuts off attempts that our own outage delayed.
 */
export function waitAfter(attempt: FailedAttempt): Wait {
  const floorMs = attempt.overloaded ? overloadFloorMs : 0;
  const waitMs = Math.max(attempt.scheduledWaitMs, floorMs, attempt.retryAfterMs ?? 0);
  const leftMs = Math.max(waitsHorizonMs - attempt.waitedMs, 0);
  return waitMs < leftMs ? { waitMs, final: false } : { waitMs: leftMs, final: true };
}
