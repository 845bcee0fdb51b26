/**
 * The time for all rules: what has expired, what is overdue, when a signature was made. It is passed in, so a test can
 * set it. Deadlines and durations of single calls read the process's clock; the database dates rows (decision 37).
 */
export type Clock = { now(): Date; monotonicMs(): number };

export const systemClock: Clock = { now: () => new Date(), monotonicMs: () => performance.now() };
