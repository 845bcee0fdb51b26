import type { CheckKind, CheckResult } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { endOf, isBlank, isYearOfBirth, isYearOfExpiry, sureDay } from './expiry.ts';
import { alikeTo, folded } from './layout.ts';
import { licencePrint } from './licence.ts';
import { type Parsed, parsedOf } from './parsed.ts';
import { type NameKind, type Printed, printedOf } from './print.ts';
import type { Readings } from './readings.ts';
import {
  checkDigitsOf,
  fieldOf,
  holds,
  isMissing,
  namesOf,
  numberOf,
  type Pair,
  pairsOf,
  shareAgreed,
  textOf,
  understood,
  withLetterO,
  type ZoneName,
  type ZoneText,
} from './zone-text.ts';

/**
 * The checks of a document. Two independent readers read the zone. The check digits and the expiry can pass or fail only if both
 * readers agree. If a check cannot decide, its result is `doubt` and a person has to look.
 */
export function judge(readings: Readings, today: string): Check[] {
  const { zone, hasOtherZone, mayBeRecaptured } = readings;
  const text = zone && understood(zone);
  const { expiry, consistency } = againstPrint(text, readings, today);
  return [
    // A photograph cannot show whether a document is genuine. It can show that it may not be one of the document itself.
    check('document_integrity', mayBeRecaptured ? 'doubt' : 'not_applicable', 0),
    expiry,
    text === undefined ? doubt('mrz_check_digits') : digitsCheck(text),
    hasOtherZone ? doubt('data_consistency') : consistency,
  ];
}

/**
 * The checks that need the print, or a zone that has more than a number. A visa identifies nobody, so nothing of it counts. A driving licence
 * never passes them: its zone has no date, and no name that bears out the print.
 */
function againstPrint(
  text: ZoneText | undefined,
  { print, codeNumbers }: Pick<Readings, 'print' | 'codeNumbers'>,
  today: string,
) {
  if (text?.kind === 'identity document') {
    const printed = printedOf(print);
    return {
      expiry: expiryCheck(text, printed, today),
      consistency: consistencyCheck(text, printed, today),
    };
  }
  const isLicence = text?.kind === 'driving licence';
  const found = isLicence
    ? licencePrint(numberOf(text), { print, codeNumbers }, today)
    : { expiry: 0, consistency: 0 };
  return {
    expiry: doubt('document_expiry', found.expiry),
    consistency: doubt('data_consistency', found.consistency),
  };
}

/**
 * The confidence of a check that passed or failed. For the specimens of docs/choices/checks.md, no such result was wrong. The
 * number does not say how likely it is that a document is genuine.
 */
const clear = 0.99;
/**
 * The highest confidence of the result `doubt`. It is multiplied by a share from 0 to 1, such as the share of the values that were
 * found.
 */
const doubtMax = 0.9;

const check = (kind: CheckKind, result: CheckResult, confidence: number): Check => ({
  kind,
  result,
  confidence,
});
const doubt = (kind: CheckKind, share = 0): Check =>
  check(kind, 'doubt', Math.round(share * doubtMax * 100) / 100);

/** What reader A alone makes of a zone. */
export type Impression = 'fine' | 'unreadable' | 'expired' | 'visa';

/**
 * What reader A alone makes of a zone, for quick advice. It is no check: those need both readers. A zone is unreadable if most of its check
 * digits are wrong. One misread character makes two of them wrong, and such a picture is good enough for a person. The reading with the
 * most right check digits counts, since advice that is not sure is worse than none.
 */
export function impressionOf(a: string[][], today: string): Impression {
  const readings = alignments(a).flatMap((lines) => parsedOf(folded(lines)) ?? []);
  const rightIn = (parsed: Parsed) => checkDigitsOf(parsed).filter(({ valid }) => valid).length;
  const [parsed] = readings.toSorted((one, other) => rightIn(other) - rightIn(one));
  const digits = parsed === undefined ? [] : checkDigitsOf(parsed);
  const right = digits.filter(({ valid }) => valid).length;
  if (digits.length === 0 || 2 * right < digits.length) return 'unreadable';
  if (parsed?.kind === 'visa') return 'visa';
  const field = parsed?.details.find((each) => each.field === 'expirationDate');
  const lastDay = field?.valid ? sureDay(field.value ?? '', today) : undefined;
  return right === digits.length && lastDay !== undefined && lastDay < today ? 'expired' : 'fine';
}

/**
 * A look sees few pixels, so a narrow character at the edge can be missed, and its row is read one place beside. Then the place at the other
 * end has nothing in it. Each such row is taken in both ways. A place that was not read counts as a filler.
 */
function alignments(rows: string[][]): string[][][] {
  const [first, ...rest] = rows;
  if (first === undefined) return [[]];
  const read = first.map((character) => character || '<');
  const ways = [
    read,
    ...(first.at(-1) === '' ? [['<', ...read.slice(0, -1)]] : []),
    ...(first[0] === '' ? [[...read.slice(1), '<']] : []),
  ];
  return alignments(rest).flatMap((others) => ways.map((way) => [way, ...others]));
}

/**
 * Whether the check digits hold. It is all that a zone says by itself. They fail for identity documents alone, since a machine may reject by
 * that: a visa is the wrong document and no forgery, and the digit of a licence is known from published specimens only.
 */
export function digitsCheck(text: ZoneText): Check {
  const digits = checkDigitsOf(text.parsed);
  const agreed = shareAgreed(pairsOf(withLetterO(text), digits));
  const wrong = digits.filter(({ valid }) => !valid);
  const holding = 1 - wrong.length / digits.length;
  if (agreed === 1 && wrong.length === 0) return check('mrz_check_digits', 'passed', clear);
  const mayFail = text.kind === 'identity document' && wrong.length > 0 && !wrong.some(isMissing);
  if (mayFail && isSurelyWrong(text)) return check('mrz_check_digits', 'failed', clear);
  return doubt('mrz_check_digits', agreed * holding);
}

/** The check digits may fail only if reader A is at least so certain of every place. */
const certaintyMin = 0.98;

/**
 * True if both readers agree everywhere, all glyphs fit well, and no correction makes the check digits right. A correction replaces
 * one character by a similar character, such as O by 0.
 */
function isSurelyWrong({ a, b, certainty }: ZoneText): boolean {
  const every = a.flatMap((line, index) => line.map((seen, place): Pair => [seen, b[index]?.[place] ?? '']));
  return certainty >= certaintyMin && every.every(([mine, theirs]) => mine === theirs) && !isMendable(a);
}

function isMendable(lines: string[][]): boolean {
  return lines.some((line, row) =>
    line.some((character, place) =>
      alikeTo(character).some((other) =>
        holds(lines.map((text, index) => (index === row ? text.with(place, other) : text))),
      ),
    ),
  );
}

/** The result is `failed` only if nothing in zone and print speaks for a document that has no end, or another one. */
function expiryCheck(text: ZoneText, printed: Printed, today: string): Check {
  const [date, digit] = [fieldOf(text, 'expirationDate'), fieldOf(text, 'expirationDateCheckDigit')];
  if (date === undefined || !digit?.valid) return doubt('document_expiry');
  const agreed = shareAgreed(pairsOf(text, [date, digit]));
  const end = endOf(textOf(text, 'expirationDate'), textOf(text, 'birthDate'), printed, today);
  if (end === 'unclear' || agreed < 1) return doubt('document_expiry', end === 'unclear' ? 0 : agreed);
  return check('document_expiry', end === 'ahead' ? 'passed' : 'failed', clear);
}

/**
 * Compares the printed text with the zone. The result is never `failed`, because a value that was not found in a photograph may
 * still be printed on the document.
 */
function consistencyCheck(text: ZoneText, printed: Printed, today: string): Check {
  const [birth, expiry] = [textOf(text, 'birthDate'), textOf(text, 'expirationDate')];
  const says = (date: string, isYear: (year: number | undefined) => boolean) =>
    printed.dates.some(({ sixDigits, year }) => sixDigits === date && isYear(year));
  const found = [
    printed.numberLines(numberOf(text)).length > 0,
    ...namesFound(text, printed),
    says(birth, (year) => isYearOfBirth(year, today)),
    isBlank(expiry) || says(expiry, (year) => isYearOfExpiry(year, expiry, today)),
  ];
  const share = found.filter(Boolean).length / found.length;
  return share === 1 ? check('data_consistency', 'passed', clear) : doubt('data_consistency', share);
}

/**
 * Whether surname and given names are in print. The only name of a holder can be printed as either. Then nothing may stand in the place of
 * the other.
 */
function namesFound(text: ZoneText, printed: Printed): boolean[] {
  const { surname, given } = namesOf(text);
  const has = (kind: NameKind, name: ZoneName) => printed.nameLines(kind, name.text, name.isCut).length > 0;
  if (surname.text !== '' && given.text !== '') return [has('surname', surname), has('given', given)];
  const only = surname.text === '' ? given : surname;
  const isOnly = (one: NameKind, other: NameKind) => has(one, only) && !printed.hasAnyName(other);
  const isFound = isOnly('surname', 'given') || isOnly('given', 'surname');
  return [isFound, isFound];
}
