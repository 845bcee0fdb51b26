/** The waits before the next examination if an examination failed, in milliseconds. */
export const examineAgainMs = [2_000, 10_000, 60_000, 300_000] as const;

/** The evidence of a submission is examined at most this number of times. */
export const examinationsMax = examineAgainMs.length + 1;
