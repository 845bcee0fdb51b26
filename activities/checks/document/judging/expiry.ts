import { startOfDay } from '#contract/time.ts';
import type { PrintedDate } from './dates.ts';
import type { Printed } from './print.ts';

/** Whether the last day of a document is still to come, is over, or cannot be told. */
export type End = 'ahead' | 'over' | 'unclear';

/**
 * The zone has two digits of the year of expiry. Years within these numbers of years before and after today are taken from it alone. No
 * state has issued documents for so long that the next or the last century could be meant.
 */
const sure = { past: 20, future: 50 } as const;
/** Years within these numbers of years before and after today need the print. */
const possible = { past: 50, future: 80 } as const;

/** True if a date of expiry was left blank, since the document has no end, or if the zone has no place for one. */
export const isBlank = (sixDigits: string): boolean => /^<*$/.test(sixDigits);

/**
 * Whether a document has expired, by the dates of its zone and by its print. Documents without an end have a blank date, or one of the
 * year 9999, or of another far year, of which the zone has the last two digits. So a document is over only if nothing speaks for a later day.
 */
export function endOf(expiry: string, birth: string, printed: Printed, today: string): End {
  if (isBlank(expiry)) return 'ahead';
  const day = sureDay(expiry, today);
  if (day !== undefined && day >= today) return 'ahead';
  const days = printed.dates
    .filter(({ sixDigits, year }) => sixDigits === expiry && year !== undefined)
    .filter(({ year }) => isYearOfExpiry(year, expiry, today))
    .map(({ year }) => dayIn(year, expiry))
    .filter(isDay);
  const saysAhead = days.some((one) => one >= today);
  // The same day in another year, or in the same, can be that of birth.
  const saysOver = expiry !== birth && days.some((one) => one < today);
  const isOver = day !== undefined || (saysOver && !saysAhead);
  if (isOver) return speaksForLater(expiry, birth, printed, today) ? 'unclear' : 'over';
  if (saysAhead && !saysOver) return 'ahead';
  return printed.endless === 'as expiry' && !saysOver ? 'ahead' : 'unclear';
}

/** True if the print has a day from today on, or says that the document has no end. */
const speaksForLater = (expiry: string, birth: string, { dates, endless }: Printed, today: string): boolean =>
  endless !== undefined ||
  dates
    .filter(({ sixDigits, year }) => year !== undefined || ![expiry, birth].includes(sixDigits))
    .some((date) => (dayOf(date, today) ?? '') >= today);

const dayOf = ({ sixDigits, year }: PrintedDate, today: string): string | undefined =>
  year === undefined ? sureDay(sixDigits, today) : dayIn(year, sixDigits);

/** The day of a date of the zone, if it is near today. Undefined if it is not, or if there is no such day. */
export function sureDay(sixDigits: string, today: string): string | undefined {
  const year = yearOf(today);
  const within = yearsOf(sixDigits, today).find((one) => one >= year - sure.past && one < year + sure.future);
  if (within === undefined || (sixDigits.startsWith('99') && within < year)) return undefined;
  const day = dayIn(within, sixDigits);
  return isDay(day) ? day : undefined;
}

/** True if a document whose zone has this date can have expired in this year. `99` also stands for 9999 and the like. */
export function isYearOfExpiry(printed: number | undefined, sixDigits: string, today: string): boolean {
  const year = yearOf(today);
  if (printed === undefined) return true;
  if (sixDigits.startsWith('99') && printed > year) return true;
  return printed >= year - possible.past && printed < year + possible.future;
}

/** Nobody older than this number of years holds a document. So a century of birth in print is the right one or it is not. */
const oldest = 115;

/** True if somebody who shows a document today can have been born in this year. */
export const isYearOfBirth = (printed: number | undefined, today: string): boolean =>
  printed === undefined || (printed <= yearOf(today) && printed > yearOf(today) - oldest);

const yearOf = (day: string) => Number(day.slice(0, 4));

/** The years with the last two digits of the date, in this century and those beside it. */
const yearsOf = (sixDigits: string, today: string): number[] =>
  [-100, 0, 100].map((off) => Math.floor(yearOf(today) / 100) * 100 + off + Number(sixDigits.slice(0, 2)));

const dayIn = (year: number | undefined, sixDigits: string) =>
  `${year}-${sixDigits.slice(2, 4)}-${sixDigits.slice(4)}`;

function isDay(date: string): boolean {
  const parsed = startOfDay(date);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}
