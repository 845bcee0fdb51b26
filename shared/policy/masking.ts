/** The waits before the next try if a document could not be masked, in milliseconds. */
export const maskAgainMs = [2_000, 10_000, 60_000, 300_000] as const;

/**
 * The number of tries to mask a document. A try counts when it begins, so a document that ends its worker each time is not tried for ever.
 * After the last one, the document is deleted without a copy.
 */
export const maskingsMax = maskAgainMs.length + 1;
