import { bsnsIn, mayBeDigit, mayHoldDigits } from './bsn.ts';
import type { KnownValues, ZoneFacts } from './zone-facts.ts';

type KnownNumbers = Pick<KnownValues, 'number' | 'dates'>;

/** The text of a line, with the certainty of the reader from 0 to 1. */
export type Reading = { text: string; certainty: number };

/** A line that is read with a lower certainty counts as unreadable. */
const certaintyMin = 0.8;
export const isCertain = (certainty: number): boolean => certainty >= certaintyMin;

/**
 * True if a line of a Dutch document holds no part of a BSN for sure: it was read, and it has no digits but those of a date or of the
 * document's number.
 */
export function maySurelyStay({ text, certainty }: Reading, facts: ZoneFacts | undefined): boolean {
  return isCertain(certainty) && /\p{L}|\d/u.test(text) && !mayHoldDigits(unexplained(text, facts));
}

/** From so many digits in a row on, a text that is no known value may be a BSN of which the reader lost some. */
const digitsMax = 4;
const manyDigits = /[\dOIl|](?:[\s.,:'\-/]{0,2}[\dOIl|]){4}/;
/** From so many digits on, a piece of a number is one also on a photograph: the detector of faces takes print for a face now and then. */
const pieceMin = 3;
/** A word of look-alikes of this length may be a number. */
const alikeMin = 5;

/**
 * True if a line may stay on a copy for the member who decides: it is a known value, or no part of a BSN may stand there. What was read on a
 * photograph is mostly hair and cloth, so there only a number counts.
 */
export function mayStayForReview(
  { text, certainty }: Reading,
  known: KnownValues,
  isOnPhotograph: boolean,
): boolean {
  const rest = unexplained(text, known);
  if (mayBeDutchNumber(rest.trim())) return true;
  const digits = (rest.match(/\d/g) ?? []).length;
  if (bsnsIn(rest).length > 0 || (digits > digitsMax && manyDigits.test(rest))) return false;
  if (isOnPhotograph) return !(isCertain(certainty) && isPieceOfNumber(rest) && digits >= pieceMin);
  const only = rest.trim().toUpperCase();
  if (known.names.includes(only) || known.dates.some((date) => isLeftOf(date, only))) return true;
  if (isPieceOfNumber(rest) && (digits > 0 || only.length >= alikeMin)) return false;
  if (isCertain(certainty)) return true;
  // A line that was hardly read is a number as well as anything else, unless it has mostly letters.
  const letters = (rest.match(/\p{L}/gu) ?? []).length;
  return letters >= lettersMin && letters > 2 * digits;
}

const lettersMin = 3;

/** True if a text is the day or the year of a date, as YYMMDD: a date that is spoilt by light can leave them alone. */
const isLeftOf = (date: string, text: string): boolean =>
  text === date.slice(4) || (/^(?:19|20)\d\d$/.test(text) && text.endsWith(date.slice(0, 2)));

/**
 * True if a text looks like the number of a Dutch document: two letters, six signs and a digit. One of the letters at least is none for which a
 * reader takes a digit, so its nine signs are no BSN. The zone does not give the number where light lies on it.
 */
const mayBeDutchNumber = (text: string): boolean =>
  /^[A-Z]{2}[A-Z\d]{6}\d$/.test(text) && Array.from(text.slice(0, 2)).some((sign) => !mayBeDigit(sign));

/** True if a text has the number of the document, one of its dates or one of its names. */
export const saysKnown = (text: string, known: KnownValues): boolean =>
  unexplained(text, known) !== text ||
  known.names.some((name) => name.length > 1 && text.toUpperCase().includes(name));

/** The BSNs in a text, without what is known to be none. Two dates could look like one. */
export const bsnsBeside = (text: string, facts: ZoneFacts | undefined): string[] =>
  bsnsIn(unexplained(text, facts));

/** True if a text has nothing but digits, look-alikes and signs, so that it may be a piece of a number. */
export const isPiece = (text: string, facts: KnownNumbers | undefined): boolean =>
  isPieceOfNumber(unexplained(text, facts));

const isPieceOfNumber = (text: string): boolean => /^[\dODQIl|ZSBGgqo\s.-]+$/.test(text.trim());

/** The text without the number of the document and without dates. */
const unexplained = (text: string, facts: KnownNumbers | undefined) =>
  withoutKnownDates(withoutNumber(text, facts), facts).replaceAll(dates, (found, ...parts) =>
    isDate(parts.at(-1) as Record<string, string | undefined>) ? ' ' : found,
  );

/** Removes the dates of the zone, also without signs between their numbers, since a reader may lose them. */
const withoutKnownDates = (text: string, facts: KnownNumbers | undefined): string =>
  text.replaceAll(dayFirst, (found, dd, mm, yy) => (facts?.dates.includes(`${yy}${mm}${dd}`) ? ' ' : found));

const dayFirst = /(?<!\d)(\d\d)[\s.\-/]?(\d\d)[\s.\-/]?(?:19|20)(\d\d)(?!\d)/g;

/** Print and zone are read by different readers, and both confuse some letters with digits. */
function withoutNumber(text: string, facts: KnownNumbers | undefined): string {
  const number = Array.from(facts?.number ?? '', twinOf);
  let rest = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfNumber(text, at, number);
    rest += end === undefined ? text[at] : ' ';
    at = end ?? at + 1;
  }
  return rest;
}

/** The end of the number that begins here, with at most one space between its signs. Undefined if it does not begin here. */
function endOfNumber(text: string, at: number, number: readonly string[]): number | undefined {
  if (number.length === 0) return undefined;
  let place = at;
  for (const [i, sign] of number.entries()) {
    if (i > 0 && /\s/.test(text[place] ?? '')) place += 1;
    if (twinOf(text[place] ?? '') !== sign) return undefined;
    place += 1;
  }
  return place;
}

const alikeInNumbers = ['O0D', 'I1', 'B8', 'S5', 'Z2', 'G6'];

/** One sign for all signs that readers confuse with this one. */
const twinOf = (sign: string): string => {
  const upper = sign.toUpperCase();
  return upper === '' ? '' : (alikeInNumbers.find((all) => all.includes(upper))?.charAt(0) ?? upper);
};

/** Dates with signs or a month in letters between the numbers. Without them, a date could be a part of a BSN. */
const dates =
  /(?<!\d)(?:0?[1-9]|[12]\d|3[01])[\s.\-/]{1,2}(?:0?[1-9]|1[0-2])[\s.\-/]{1,2}(?<y1>(?:19|20)?\d\d)(?!\d)|(?<!\d)(?:0?[1-9]|[12]\d|3[01])\s?\p{L}{3,9}(?:\s?\/\s?\p{L}{3,9})?\s?(?<y2>(?:19|20)?\d\d)(?!\d)|(?<!\d)(?<y3>(?:19|20)\d\d)[\s.\-/]{1,2}(?:0?[1-9]|1[0-2])[\s.\-/]{1,2}(?:0?[1-9]|[12]\d|3[01])(?!\d)/gu;

const isDate = ({ y1, y2, y3 }: Record<string, string | undefined>) =>
  [y1, y2, y3].some((found) => found !== undefined && (found.length === 2 || Number(found) < 2100));
