/**
 * The clock of the business rules, for example for the expiry of keys, overdue work and the timestamps of signatures. In the processes
 * it follows the database (`startDatabaseClock`). It is passed as a parameter, so that a test can set the time. Time-outs of single
 * calls do not use this clock. Many rules in a transaction use the time of that transaction instead (decision 37).
 */
export type Clock = {
  now(): Date;
  monotonicMs(): number;
  /** The time of the machine minus the time of `now()`, in milliseconds. It is positive if the machine is ahead. */
  offsetMs(): number;
};

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  offsetMs: () => 0,
};

const offsetMsMax = 2_000;

/** True if the clock of the machine is so wrong that the log and /ready report it. */
export const isClockOff = (offsetMs: number): boolean => Math.abs(offsetMs) > offsetMsMax;
