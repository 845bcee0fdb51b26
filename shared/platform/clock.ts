/**
 * The clock of this process, for example for the expiry of keys, overdue work and the timestamps of signatures. The clock is passed
 * as a parameter, so that a test can set the time. Time-outs of single calls do not use this clock. Many rules in a transaction use
 * the time of the database instead (decision 37).
 */
export type Clock = { now(): Date; monotonicMs(): number };

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
