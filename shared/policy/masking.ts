/** The waits before the next try if a document could not be masked, in milliseconds. */
export const maskAgainMs = [2_000, 10_000, 60_000, 300_000] as const;

/**
 * So often a document is tried. A try counts when it begins, so a document that ends its worker each time is not tried for ever. After
 * that the document is deleted without a copy: the safe copy of a document that cannot be masked is one that is covered whole.
 */
export const maskingsMax = maskAgainMs.length + 1;
