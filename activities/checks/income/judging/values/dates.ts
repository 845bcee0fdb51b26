import { dayInUtc, dayMs } from '#contract/time.ts';

/** Days are texts such as `2026-11-21`, so that they compare as they follow each other. */

const months: Readonly<Record<string, number>> = {
  ...{ jan: 1, feb: 2, maa: 3, mrt: 3, mar: 3, apr: 4, mei: 5, may: 5, jun: 6, jul: 7, aug: 8, sep: 9 },
  ...{ okt: 10, oct: 10, nov: 11, dec: 12 },
};
/** A day in numbers, or with a month by name. */
const dayIn =
  /(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})|(\d{1,2}) (januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|january|february|march|may|june|july|august|october|jan|feb|mrt|mar|apr|jun|jul|aug|sept|sep|okt|oct|nov|dec)\.? (\d{4}))(?!\d)/gi;
const monthIn =
  /(?<!\p{L})(januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december|january|february|march|may|june|july|august|october|jan|feb|mrt|mar|apr|jun|jul|aug|sept|sep|okt|oct|nov|dec)\.? ?[-/']? ?(20\d\d)(?!\d)/iu;
const yearFirst =
  /(?<!\d)(20\d\d) ?[-/.]? ?(?:per\.?|periode|period|maand|month|P)? ?[-/.]? ?0?(\d{1,2})(?!\d)/i;
const yearLast = /(?<!\d)0?(\d{1,2}) ?(?:[-/.]|van|of|,)? ?(20\d\d)(?!\d)/i;

/** Without breaks and doubled spaces, so that a pattern needs to know one space only. */
const spaced = (text: string) => text.split(/\s/).filter(Boolean).join(' ');

/** A text without its days, so that a label is left. */
export const withoutDays = (text: string): string => spaced(text).replace(dayIn, ' ').trim();

export type Period = { start: string; end: string; kind: 'month' | 'four_weeks' | 'week' | 'year' | 'other' };

const monthOf = (word: string) => months[word.slice(0, 3).toLowerCase()] ?? 0;
const two = (value: number) => String(value).padStart(2, '0');

/** A day of the calendar. Undefined if there is none such. */
export function calendarDayOf(year: number, month: number, date: number): string | undefined {
  const time = new Date(Date.UTC(year, month - 1, date));
  const text = `${year}-${two(month)}-${two(date)}`;
  return !Number.isNaN(time.getTime()) && dayInUtc(time) === text ? text : undefined;
}

export const addDays = (text: string, days: number): string =>
  dayInUtc(new Date(Date.parse(text) + days * dayMs));

export const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs;

/** The days that a text names, in its order. */
export function daysIn(text: string): string[] {
  return [...spaced(text).matchAll(dayIn)].flatMap((found) => {
    const [, y1, m1, d1, d2, m2, y2, d3, word, y3] = found;
    const made =
      y1 !== undefined
        ? calendarDayOf(Number(y1), Number(m1), Number(d1))
        : d2 !== undefined
          ? calendarDayOf(fullYear(y2 ?? ''), Number(m2), Number(d2))
          : calendarDayOf(Number(y3), monthOf(word ?? ''), Number(d3));
    return made === undefined ? [] : [made];
  });
}

const fullYear = (text: string) => (text.length === 2 ? 2000 + Number(text) : Number(text));

const lastOf = (year: number, month: number) => new Date(Date.UTC(year, month, 0)).getUTCDate();

export function monthPeriod(year: number, month: number): Period | undefined {
  const start = calendarDayOf(year, month, 1);
  const end = start && calendarDayOf(year, month, lastOf(year, month));
  return start && end ? { start, end, kind: 'month' } : undefined;
}

/** Four weeks of the tax year. The first begin with the week that has 4 January. */
export function fourWeeksPeriod(year: number, number: number): Period | undefined {
  if (number < 1 || number > 13) return undefined;
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = addDays(dayInUtc(fourth), -((fourth.getUTCDay() + 6) % 7));
  const start = addDays(monday, (number - 1) * 28);
  return { start, end: addDays(start, 27), kind: 'four_weeks' };
}

/** The period that a text names: two days, a month by name or number, or four weeks by their number. */
export function periodIn(text: string, inFourWeeks: boolean): Period | undefined {
  const [start, end, ...more] = daysIn(text);
  if (start !== undefined && end !== undefined && more.length === 0)
    return { start, end, kind: kindOf(start, end) };
  const rest = withoutDays(text);
  const named = monthIn.exec(rest);
  if (named !== null) return monthPeriod(Number(named[2]), monthOf(named[1] ?? ''));
  const numbered = yearFirst.exec(rest) ?? reversed(yearLast.exec(rest));
  if (numbered === null) return undefined;
  const [year, number] = [Number(numbered[1]), Number(numbered[2])];
  return inFourWeeks || number === 13 ? fourWeeksPeriod(year, number) : monthPeriod(year, number);
}

const reversed = (found: RegExpExecArray | null): (string | undefined)[] | null =>
  found === null ? null : [found[0], found[2], found[1]];

function kindOf(start: string, end: string): Period['kind'] {
  const days = daysBetween(start, end) + 1;
  if (start.endsWith('-01') && end === monthPeriod(Number(start.slice(0, 4)), Number(start.slice(5, 7)))?.end)
    return 'month';
  if (days === 28) return 'four_weeks';
  if (days === 7) return 'week';
  return days > 360 && days < 370 ? 'year' : 'other';
}
