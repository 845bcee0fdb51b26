/**
 * The clock of all business rules: expiry, overdue work, the timestamps of signatures. The clock is passed as
 * a parameter, so that a test can set the time. Time-outs of single calls use the clock of the process
 * instead. Rows get their dates from the database (decision 37).
 */
export type Clock = { now(): Date; monotonicMs(): number };

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
