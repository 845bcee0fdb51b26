import { type Details, type ParseResult, parse } from 'mrz';
import type { CheckKind, CheckResult } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { alikeTo, folded } from './layout.ts';
import { type Printed, printedOf } from './print.ts';
import type { Readings, ZoneReadings } from './readings.ts';

/**
 * The checks of a document. Two independent readers read the zone. The check digits and the expiry can pass or fail only if both
 * readers agree. If a check cannot decide, its result is `doubt` and a person has to look.
 */
export function judge({ zone, print, hasOtherZone, mayBeRecaptured }: Readings, today: string): Check[] {
  const document = zone && understood(zone);
  const printed = printedOf(print);
  return [
    // A photograph cannot show whether a document is genuine. It can show that it may not be one of the document itself.
    check('document_integrity', mayBeRecaptured ? 'doubt' : 'not_applicable', 0),
    document === undefined ? doubt('document_expiry') : expiryCheck(document, printed, today),
    document === undefined ? doubt('mrz_check_digits') : digitsCheck(document),
    document === undefined || hasOtherZone
      ? doubt('data_consistency')
      : consistencyCheck(document, printed, today),
  ];
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

type Document = { a: string[][]; b: string[][]; fit: number; parsed: ParseResult };

/**
 * Returns undefined if the zone cannot be parsed, or if its document code is not valid for TD1, TD2 or TD3. Visas are excluded,
 * because their check digits differ.
 */
function understood({ a, b, fit }: ZoneReadings): Document | undefined {
  const [mine, theirs] = [folded(a), folded(b)];
  const parsed = parsedOf(mine);
  const isIdentityDocument = parsed?.details.some(({ field, valid }) => field === 'documentCode' && valid);
  return parsed && isIdentityDocument ? { a: mine, b: theirs, fit, parsed } : undefined;
}

function parsedOf(lines: string[][]): ParseResult | undefined {
  try {
    return parse(lines.map((line) => line.join('')));
  } catch {
    return undefined;
  }
}

/**
 * What reader A alone makes of a zone, for quick advice. It is no check: those need both readers. A zone is unreadable if most of its check
 * digits are wrong. One misread character makes two of them wrong, and such a picture is good enough for a person. The reading with the
 * most right check digits counts, since advice that is not sure is worse than none.
 */
export function impressionOf(a: string[][], today: string): 'fine' | 'unreadable' | 'expired' {
  const readings = alignments(a).flatMap((lines) => parsedOf(folded(lines)) ?? []);
  const rightIn = (parsed: ParseResult) => checkDigitsOf(parsed).filter(({ valid }) => valid).length;
  const [parsed] = readings.toSorted((one, other) => rightIn(other) - rightIn(one));
  const digits = parsed === undefined ? [] : checkDigitsOf(parsed);
  const right = digits.filter(({ valid }) => valid).length;
  if (digits.length === 0 || 2 * right < digits.length) return 'unreadable';
  const field = parsed?.details.find((each) => each.field === 'expirationDate');
  const expiry = field?.valid ? expiryDate(field.value ?? '', today) : undefined;
  return right === digits.length && expiry !== undefined && expiry < today ? 'expired' : 'fine';
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

/** The field `valid` of the whole result is not used. It is false for specimens, because their state, Utopia, does not exist. */
const checkDigitsOf = ({ details }: ParseResult): Details[] =>
  details.filter(({ field }) => field?.endsWith('CheckDigit'));

const fieldOf = ({ parsed }: Document, name: Details['field']): Details | undefined =>
  parsed.details.find(({ field }) => field === name);

type Pair = readonly [a: string, b: string];

/**
 * Pairs what the two readers read at each place of the fields. For a check digit, `ranges` also contains the places from which the
 * digit is calculated.
 */
const pairsOf = ({ a, b }: Document, fields: readonly Details[]): Pair[] =>
  fields.flatMap(({ ranges }) =>
    ranges.flatMap(({ line, start, end }) =>
      (a[line] ?? []).slice(start, end).map((seen, index): Pair => [seen, b[line]?.[start + index] ?? '']),
    ),
  );

/**
 * Reader B often reads nothing in a long row of fillers, or a K. A filler contains no data, so this counts as agreement. A number that
 * ends with K cannot pass as one that is shorter, since the print must have the same number.
 */
const agree = ([a, b]: Pair) => a === b || (a === '<' && (b === '' || b === 'K'));

const shareAgreed = (pairs: Pair[]) => pairs.filter(agree).length / Math.max(pairs.length, 1);

function digitsCheck(document: Document): Check {
  const digits = checkDigitsOf(document.parsed);
  const pairs = pairsOf(document, digits);
  const agreed = shareAgreed(pairs);
  const holding = digits.filter(({ valid }) => valid).length / digits.length;
  if (agreed === 1 && holding === 1) return check('mrz_check_digits', 'passed', clear);
  if (holding < 1 && isSurelyWrong(document)) return check('mrz_check_digits', 'failed', clear);
  return doubt('mrz_check_digits', agreed * holding);
}

/** The check digits may fail only if every glyph of reader A has at least this fit. */
const certainFit = 0.85;

/**
 * True if both readers agree everywhere, all glyphs fit well, and no correction makes the check digits right. A correction replaces
 * one character by a similar character, such as O by 0.
 */
function isSurelyWrong(document: Document): boolean {
  const every = document.a.flatMap((line, index) =>
    line.map((seen, place): Pair => [seen, document.b[index]?.[place] ?? '']),
  );
  return document.fit >= certainFit && every.every(([a, b]) => a === b) && !isMendable(document.a);
}

function isMendable(lines: string[][]): boolean {
  return lines.some((line, row) =>
    line.some((character, place) =>
      alikeTo(character).some((other) => {
        const mended = lines.map((text, index) => (index === row ? text.with(place, other) : text));
        const parsed = parsedOf(folded(mended));
        return parsed !== undefined && checkDigitsOf(parsed).every(({ valid }) => valid);
      }),
    ),
  );
}

function expiryCheck(document: Document, printed: Printed, today: string): Check {
  const fields = [fieldOf(document, 'expirationDate'), fieldOf(document, 'expirationDateCheckDigit')];
  const found = fields.filter((field) => field !== undefined);
  const agreed = shareAgreed(pairsOf(document, found));
  if (!fields.every((field) => field?.valid)) return doubt('document_expiry');
  const expiry = lastDayOf(expiryDigits(document), printed, today);
  if (expiry === undefined || agreed < 1) return doubt('document_expiry', expiry === undefined ? 0 : agreed);
  return check('document_expiry', expiry >= today ? 'passed' : 'failed', clear);
}

const expiryDigits = ({ a, parsed }: Document): string => {
  const field = parsed.details.find((each) => each.field === 'expirationDate');
  const range = field?.ranges[0];
  return range === undefined ? '' : (a[range.line] ?? []).slice(range.start, range.end).join('');
};

/** A day after all others: the document has no end. */
const endless = '9999-12-31';
const isBlank = (sixDigits: string) => sixDigits === '<<<<<<';

/**
 * Some documents have no day of expiry in the zone. Others have the year 9999 in print, of which the zone has two digits. Only the print
 * tells them from those that expired in 1999.
 */
function lastDayOf(sixDigits: string, printed: Printed, today: string): string | undefined {
  if (isBlank(sixDigits)) return endless;
  const day = expiryDate(sixDigits, today);
  if (!sixDigits.startsWith('99') || day === undefined || day >= today) return day;
  if (printed.hasDate(sixDigits, (year) => year === 9999)) return endless;
  return printed.hasDate(sixDigits, (year) => year !== 9999) ? day : undefined;
}

/**
 * The numbers of years before and after today within which an expiry is plausible. The zone contains only the last two digits of
 * the year.
 */
const plausible = { past: 30, future: 50 } as const;

/** Returns a day such as `2032-04-15`. Returns undefined if the day does not exist or is not plausible. */
function expiryDate(sixDigits: string, today: string): string | undefined {
  const year = Number(today.slice(0, 4));
  const [years, month, day] = [sixDigits.slice(0, 2), sixDigits.slice(2, 4), sixDigits.slice(4)];
  const century = [-100, 0, 100].map((off) => Math.floor(year / 100) * 100 + off + Number(years));
  const within = century.find((one) => one >= year - plausible.past && one < year + plausible.future);
  const date = `${within}-${month}-${day}`;
  return within !== undefined && isDay(date) ? date : undefined;
}

function isDay(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date);
}

/** Nobody older than this number of years holds a document. So a century of birth in print is the right one or it is not. */
const oldest = 115;

/**
 * Compares the printed text with the zone. The result is never `failed`, because a value that was not found in a photograph may
 * still be printed on the document.
 */
function consistencyCheck(document: Document, printed: Printed, today: string): Check {
  const { documentNumber, lastName, firstName } = document.parsed.fields;
  const thisYear = Number(today.slice(0, 4));
  const expiry = expiryDigits(document);
  const lastDay = expiryDate(expiry, today);
  const yearsOfExpiry = [undefined, 9999, Number(lastDay?.slice(0, 4))];
  const found = [
    printed.hasNumber(documentNumber ?? ''),
    printed.hasName('surname', lastName ?? '', isFull(document)),
    !firstName || printed.hasName('given', firstName, isFull(document)),
    printed.hasDate(
      fieldOf(document, 'birthDate')?.value ?? '',
      (year) => year === undefined || (year <= thisYear && year > thisYear - oldest),
    ),
    isBlank(expiry) || printed.hasDate(expiry, (year) => yearsOfExpiry.includes(year)),
  ];
  const share = found.filter(Boolean).length / found.length;
  return share === 1 ? check('data_consistency', 'passed', clear) : doubt('data_consistency', share);
}

/** True if the names fill their line of the zone, so that their end may be missing there. */
const isFull = ({ a }: Document): boolean => {
  const names = a.length === 3 ? a[2] : a[0];
  return names?.at(-1) !== '<';
};
