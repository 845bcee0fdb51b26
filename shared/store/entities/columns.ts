import { p } from '@mikro-orm/core';

/** Milliseconds, as the interface shows them, so that what a cursor compares is what a partner sees. */
export const instant = () => p.datetime().length(3);

/** The clock of the transaction that writes the row (decision 37). */
export const createdAt = () => instant().defaultRaw('now()');

export const bytes = () => p.blob().$type<Buffer>();
