/** Durations in milliseconds, and calendar days such as `2026-11-23`. */

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The calendar day in the Netherlands. The expiry of a document and the end of a relationship are compared with it. */
export const calendarDay = (date: Date): string => dayInZone(date, 'Europe/Amsterdam');

/** The calendar day that the clock of a time zone shows. */
export const dayInZone = (date: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(date);

/** The calendar day in UTC. */
export const dayInUtc = (date: Date): string => date.toISOString().slice(0, 'yyyy-mm-dd'.length);

/** The beginning of a day in UTC. What is no day gives an invalid date. */
export const startOfDay = (day: string): Date => new Date(`${day}T00:00:00Z`);
