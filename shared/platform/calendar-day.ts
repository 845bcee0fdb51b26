/** The calendar day in the Netherlands, such as `2026-11-23`. The expiry of a document is compared with it. */
export const calendarDay = (date: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam', dateStyle: 'short' }).format(date);
