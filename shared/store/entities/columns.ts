import { p } from '@mikro-orm/core';

/** In milliseconds, as the API returns it: a cursor compares the same values that a partner sees. */
export const instant = () => p.datetime().length(3);

/** The start of the transaction that writes the row (decision 37). */
export const createdAt = () => instant().defaultRaw('now()');

export const bytes = () => p.blob().$type<Buffer>();
