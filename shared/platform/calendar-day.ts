/** The calendar day in the Netherlands, such as `2026-11-23`. The expiry of a document and the end of a relationship are compared with it. */
export const calendarDay = (date: Date): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Amsterdam', dateStyle: 'short' }).format(date);
