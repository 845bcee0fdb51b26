import { withoutAccents } from './labels.ts';

/** A date in print. `sixDigits` has the form of the zone, YYMMDD. `year` is undefined if only its last two digits are printed. */
export type PrintedDate = { sixDigits: string; year: number | undefined };

/**
 * Abbreviations of the months, in several languages of states that issue documents. A printed month begins with one of its
 * abbreviations.
 */
const months = [
  ['JAN', 'GEN', 'ENE', 'STY', 'IAN'],
  ['FEB', 'FEV', 'LUT'],
  ['MAR', 'MRT', 'MAA', 'MAE'],
  ['APR', 'AVR', 'ABR'],
  ['MAY', 'MEI', 'MAI', 'MAG', 'MAJ'],
  ['JUN', 'JUIN', 'GIU', 'IUN'],
  ['JUL', 'JUIL', 'LUG', 'IUL'],
  ['AUG', 'AOU', 'AGO'],
  ['SEP', 'SET'],
  ['OCT', 'OKT', 'OTT', 'OUT'],
  ['NOV', 'NOI'],
  ['DEC', 'DEZ', 'DIC'],
];

/** The orders of the parts. Up to three signs may stand between two of them, and a reader may lose these. */
const forms = [
  /(?<day>\d\d)(?<first>[^\p{L}\d]{0,3})(?<month>\d\d)(?<second>[^\p{L}\d]{0,3})(?<century>1[89]|2\d|99)(?<year>\d\d)/uy,
  /(?<day>\d\d)(?<first>[^\p{L}\d]{0,3})(?<month>\d\d)(?<second>[^\p{L}\d]{0,3})(?<year>\d\d)/uy,
  /(?<day>\d\d)(?<first>[^\p{L}\d]{0,3})(?<name>[A-Z]+(?:[^\p{L}\d]{1,3}[A-Z]+){0,3})(?<second>[^\p{L}\d]{0,3})(?<century>1[89]|2\d|99)(?<year>\d\d)/uy,
  /(?<day>\d\d)(?<first>[^\p{L}\d]{0,3})(?<name>[A-Z]+(?:[^\p{L}\d]{1,3}[A-Z]+){0,3})(?<second>[^\p{L}\d]{0,3})(?<year>\d\d)/uy,
  /(?<century>1[89]|2\d|99)(?<year>\d\d)(?<first>[^\p{L}\d]{0,3})(?<month>\d\d)(?<second>[^\p{L}\d]{0,3})(?<day>\d\d)/uy,
];

/** A place from `from` up to `to`, without the latter. */
type Span = { from: number; to: number };
type Candidate = Span & PrintedDate & { worth: number };

/**
 * The dates in a line of print. A line can have several, and other figures beside them. A row of digits belongs to dates as a whole or not
 * at all, and every digit to one date at most: the end of one date and the beginning of the next make no third. Of all ways to divide the
 * line into dates, the one counts that leaves the fewest digits over. A date counts only if no such way goes without it.
 */
export function datesIn(line: string): PrintedDate[] {
  const text = withLetterO(withoutAccents(line));
  const rows = [...text.matchAll(/\d+/g)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }));
  const candidates = rows.flatMap((row) =>
    Array.from({ length: row.to - row.from }, (_, place) =>
      candidatesAt(text, row.from + place, rows),
    ).flat(),
  );
  const most = worthOf(candidates, rows);
  return candidates
    .filter((one) => worthOf(candidates.toSpliced(candidates.indexOf(one), 1), rows) < most)
    .map(({ sixDigits, year }) => ({ sixDigits, year }));
}

/** Reader B sometimes reads the O of a month as 0. */
const withLetterO = (line: string) =>
  line
    .replaceAll('N0V', 'NOV')
    .replaceAll(/0(CT|KT|TT|UT)/g, 'O$1')
    .replaceAll('AG0', 'AGO');

/** The dates that begin here, each in one form. */
const candidatesAt = (text: string, at: number, rows: readonly Span[]): Candidate[] =>
  forms.flatMap((form) => {
    form.lastIndex = at;
    const found = form.exec(text);
    return found === null ? [] : (candidateOf(found, rows) ?? []);
  });

function candidateOf(found: RegExpExecArray, rows: readonly Span[]): Candidate | undefined {
  const {
    century,
    year = '',
    month: number,
    name: letters,
    day: ofMonth = '',
    first,
    second,
  } = found.groups ?? {};
  const span = { from: found.index, to: found.index + found[0].length };
  const inMonth = number ?? monthOf(letters ?? '');
  if (inMonth === undefined || !isWithin(inMonth, 12) || !isWithin(ofMonth, 31)) return undefined;
  if (letters === undefined && !isDate(found, span, rows)) return undefined;
  const digits = (found[0].match(/\d/g) ?? []).length;
  return {
    ...span,
    sixDigits: `${year}${inMonth}${ofMonth}`,
    year: century === undefined ? undefined : Number(century + year),
    worth: 2 * digits + (first?.trim() === second?.trim() ? 1 : 0),
  };
}

const isWithin = (digits: string, max: number) => Number(digits) >= 1 && Number(digits) <= max;

/** A longer row of digits is no date, and no part of one. */
const rowMax = 8;

/**
 * False for what may as well be a number: digits without signs that are a part of one, or stand beside a letter or two of one; and a year
 * of two digits with a sign on one side only.
 */
function isDate({ input, groups }: RegExpExecArray, { from, to }: Span, rows: readonly Span[]): boolean {
  const signed = [groups?.first, groups?.second].filter((sign) => sign !== '').length;
  if (rows.some((row) => row.from < to && row.to > from && row.to - row.from > rowMax)) return false;
  if (signed === 1) return groups?.century !== undefined;
  // A reader can lose the space between a date and a word.
  const [before, after] =
    groups?.century === undefined ? [endsApart, beginsApart] : [endsOrWord, beginsOrWord];
  return signed === 2 || (before.test(input.slice(0, from)) && after.test(input.slice(to)));
}

const [endsApart, endsOrWord] = [/(?:^|[^A-Z\d])$/, /(?:^|[^A-Z\d]|[A-Z]{3})$/];
const [beginsApart, beginsOrWord] = [/^(?:$|[^A-Z\d])/, /^(?:$|[^A-Z\d]|[A-Z]{3})/];

/** The month of the last word that names one, since English, French or Spanish comes last. Undefined if none does. */
function monthOf(letters: string): string | undefined {
  const named = letters.split(/[^A-Z]+/).map((word) => months.findIndex((names) => isOne(word, names)) + 1);
  const last = named.findLast((number) => number > 0);
  return last === undefined ? undefined : String(last).padStart(2, '0');
}

const isOne = (word: string, names: readonly string[]) => names.some((name) => word.startsWith(name));

/** What the best division of a line into some of these dates is worth. */
function worthOf(candidates: readonly Candidate[], rows: readonly Span[]): number {
  const end = rows.at(-1)?.to ?? 0;
  const best = new Array<number>(end + 1).fill(0);
  for (let at = end - 1; at >= 0; at--) {
    const row = rows.find(({ from, to }) => from <= at && at < to);
    const left = row === undefined ? best[at + 1] : row.from === at ? best[row.to] : Number.NEGATIVE_INFINITY;
    const taken = candidates
      .filter(({ from }) => from === at)
      .map(({ to, worth }) => worth + (best[to] ?? Number.NEGATIVE_INFINITY));
    best[at] = Math.max(left ?? 0, ...taken);
  }
  return best[0] ?? 0;
}
