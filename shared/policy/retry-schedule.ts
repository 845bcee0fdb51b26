const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * The waits before attempts 2 to 6, in milliseconds (specification 6.4; decision 28): six attempts over 7 h 55 min. A delivery
 * makes one attempt more than there are waits.
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

/** Spreads a wait by up to ±5 %. `random` is from 0 to 1; in a workflow it must be Temporal's replay-safe random number. */
export const jittered = (waitMs: number, random: number): number =>
  Math.round(waitMs * (1 + jitterShare * (2 * random - 1)));

export type FailedAttempt = {
  /** The schedule's wait, already spread by jitter. */
  scheduledWaitMs: number;
  /** Time-out, 429, 502, 503 or 504: the receiver gets at least a minute. */
  overloaded: boolean;
  /** The receiver's Retry-After, counted from the arrival of its answer. */
  retryAfterMs: number | null;
  /** The sum of the planned waits so far. Our own outages do not count. */
  waitedMs: number;
};

export type Wait = { waitMs: number; final: boolean };

/**
 * The wait after a failed attempt (decision 28). Retry-After can lengthen a wait, but all planned waits together end 8 h 30 min
 * after the first attempt. A later attempt is made at that moment, and it is the last. The cap counts planned waits and
 * not the clock, so it never drops attempts that our own outage delayed.
 */
export function waitAfter(attempt: FailedAttempt): Wait {
  const floorMs = attempt.overloaded ? overloadFloorMs : 0;
  const waitMs = Math.max(attempt.scheduledWaitMs, floorMs, attempt.retryAfterMs ?? 0);
  const leftMs = Math.max(waitsHorizonMs - attempt.waitedMs, 0);
  return waitMs < leftMs ? { waitMs, final: false } : { waitMs: leftMs, final: true };
}
