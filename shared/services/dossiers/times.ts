/** A time in UTC with milliseconds, as the lines of the ledger have it. */
export const iso = (at: Date): string => at.toISOString();

export const isoOrNull = (at: Date | null): string | null => at && iso(at);
