import { bsnsIn, mayHoldDigits } from './bsn.ts';
import type { ZoneFacts } from './zone-facts.ts';

/** The text of a line, with the certainty of the reader from 0 to 1. */
export type Reading = { text: string; certainty: number };

/** A line that is read with a lower certainty counts as unreadable. */
const certaintyMin = 0.8;

/**
 * True if a line of a Dutch document holds no part of a BSN for sure: it was read, and it has no digits but those of a date or of the
 * document's number.
 */
export function maySurelyStay({ text, certainty }: Reading, facts: ZoneFacts | undefined): boolean {
  return certainty >= certaintyMin && /\p{L}|\d/u.test(text) && !mayHoldDigits(unexplained(text, facts));
}

/** The BSNs in a text, without what is known to be none. Two dates could look like one. */
export const bsnsBeside = (text: string, facts: ZoneFacts | undefined): string[] =>
  bsnsIn(unexplained(text, facts));

/** True if a text has nothing but digits, look-alikes and signs, so that it may be a piece of a number. */
export const isPiece = (text: string, facts: ZoneFacts | undefined): boolean =>
  /^[\dODQIl|ZSBGgqo\s.-]+$/.test(unexplained(text, facts).trim());

/** The text without the number of the document and without dates. */
const unexplained = (text: string, facts: ZoneFacts | undefined) =>
  withoutKnownDates(withoutNumber(text, facts), facts).replaceAll(dates, (found, ...parts) =>
    isDate(parts.at(-1) as Record<string, string | undefined>) ? ' ' : found,
  );

/** Removes the dates of the zone, also without signs between their numbers, since a reader may lose them. */
function withoutKnownDates(text: string, facts: ZoneFacts | undefined): string {
  return (facts?.dates ?? []).reduce((left, date) => {
    const [yy, mm, dd] = [date.slice(0, 2), date.slice(2, 4), date.slice(4)];
    const dayFirst = `${dd}[\\s.\\-/]?${mm}[\\s.\\-/]?(?:19|20)${yy}`;
    return /^\d{6}$/.test(date) ? left.replaceAll(new RegExp(`(?<!\\d)${dayFirst}(?!\\d)`, 'g'), ' ') : left;
  }, text);
}

function withoutNumber(text: string, facts: ZoneFacts | undefined): string {
  const number = facts?.number ?? '';
  // Print and zone are read by different readers, and both confuse these letters with digits.
  const alike = Array.from(number, (sign) => alikeInNumbers.find((all) => all.includes(sign)) ?? `[${sign}]`);
  return number === '' ? text : text.replaceAll(new RegExp(alike.join('\\s?'), 'gi'), ' ');
}

const alikeInNumbers = ['[O0D]', '[I1]', '[B8]', '[S5]', '[Z2]', '[G6]'];

const month = '(?:0?[1-9]|1[0-2])';
const day = '(?:0?[1-9]|[12]\\d|3[01])';
const year = '(?:19|20)?\\d\\d';
const gap = '[\\s.\\-/]{1,2}';
/** A month in one or two languages, such as `MEI/MAY`. */
const monthName = '\\p{L}{3,9}(?:\\s?/\\s?\\p{L}{3,9})?';

/** Dates with signs or a month in letters between the numbers. Without them, a date could be a part of a BSN. */
const dates = new RegExp(
  [
    `(?<!\\d)${day}${gap}${month}${gap}(?<y1>${year})(?!\\d)`,
    `(?<!\\d)${day}\\s?${monthName}\\s?(?<y2>${year})(?!\\d)`,
    `(?<!\\d)(?<y3>(?:19|20)\\d\\d)${gap}${month}${gap}${day}(?!\\d)`,
  ].join('|'),
  'gu',
);

const isDate = ({ y1, y2, y3 }: Record<string, string | undefined>) =>
  [y1, y2, y3].some((found) => found !== undefined && (found.length === 2 || Number(found) < 2100));
