import { p } from '@mikro-orm/core';

/** A time with millisecond precision, as in the API. So a cursor compares the same values that a partner receives. */
export const instant = () => p.datetime().length(3);

/** The default is the start of the transaction that writes the row (decision 37). */
export const createdAt = () => instant().defaultRaw('now()');

export const bytes = () => p.blob().$type<Buffer>();
