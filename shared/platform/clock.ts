/**
 * The clock for all business rules, such as expiry, overdue work and the timestamps of signatures. The clock is passed as a
 * parameter, so that a test can set the time. Time-outs of single calls do not use this clock. Rows get their dates from the
 * database (decision 37).
 */
export type Clock = { now(): Date; monotonicMs(): number };

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
