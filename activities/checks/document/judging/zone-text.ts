import { folded } from './layout.ts';
import { type Field, type Parsed, parsedOf, type ZoneKind } from './parsed.ts';
import type { ZoneReadings } from './readings.ts';

/** A machine-readable zone, as both readers read it, and what the text of reader A says. */
export type ZoneText = { kind: ZoneKind; a: string[][]; b: string[][]; certainty: number; parsed: Parsed };

/** Returns undefined if the zone cannot be parsed, or if it is one of no document that is known here. */
export function understood({ a, b, certainty }: ZoneReadings): ZoneText | undefined {
  const [mine, theirs] = [folded(a), folded(b)];
  const parsed = parsedOf(mine);
  return parsed?.kind && { kind: parsed.kind, a: mine, b: theirs, certainty, parsed };
}

/** The field `valid` of the parser's whole result is not used. It is false for specimens, because their state, Utopia, does not exist. */
export const checkDigitsOf = ({ details }: Parsed): Field[] =>
  details.filter(({ field }) => field?.endsWith('CheckDigit'));

/**
 * True if a filler stands where a check digit should be. Doc 9303 allows this for an empty personal number, which the parser knows, and for a
 * long document number, which has its digit elsewhere. Some states do the same with an empty date. Such a digit is missing, not wrong.
 */
export const isMissing = ({ value }: Field): boolean => value === null || value === '' || value === '<';

export const fieldOf = ({ parsed }: ZoneText, name: Field['field']): Field | undefined =>
  parsed.details.find(({ field }) => field === name);

/** What reader A read at the places of a field, with its fillers. Empty if the zone has no such field. */
export function textOf(zone: ZoneText, name: Field['field']): string {
  const range = fieldOf(zone, name)?.ranges[0];
  return range === undefined ? '' : (zone.a[range.line] ?? []).slice(range.start, range.end).join('');
}

/** The whole number of the document, without fillers. The parser puts together what the zone splits. */
export const numberOf = ({ parsed }: ZoneText): string =>
  (parsed.documentNumber ?? '').replaceAll(/[< ]/g, '');

/** A name as the zone writes it, with a space between its parts. `isCut` is true if the zone may have had no room for its end. */
export type ZoneName = { text: string; isCut: boolean };

/** A surname is cut for the sake of given names only if it takes at least this share of the places. */
const longSurname = 2 / 3;

/** Either name can be empty, since some holders have one name only. */
export function namesOf(zone: ZoneText): { surname: ZoneName; given: ZoneName } {
  const surnames = textOf(zone, 'lastName');
  const areApart = fieldOf(zone, 'lastName')?.ranges[0]?.line !== fieldOf(zone, 'firstName')?.ranges[0]?.line;
  const names = areApart ? surnames : (surnames.split('<<', 1)[0] ?? '');
  const given = areApart ? textOf(zone, 'firstName') : surnames.slice(names.length);
  const isLong = names.length >= longSurname * surnames.length;
  return {
    surname: { text: spaced(names), isCut: isFull(surnames) && isLong },
    given: { text: spaced(given), isCut: isFull(given) },
  };
}

const spaced = (text: string) => text.split('<').filter(Boolean).join(' ');

/** A letter at the last place of the names says that they may have been cut. */
const isFull = (text: string) => text !== '' && !text.endsWith('<');

export type Pair = readonly [a: string, b: string];

/**
 * Pairs what the two readers read at each place of the fields. For a check digit, `ranges` also contains the places from which the
 * digit is calculated.
 */
export const pairsOf = ({ a, b }: ZoneText, fields: readonly Field[]): Pair[] =>
  fields.flatMap(({ ranges }) =>
    ranges.flatMap(({ line, start, end }) =>
      (a[line] ?? []).slice(start, end).map((seen, index): Pair => [seen, b[line]?.[start + index] ?? '']),
    ),
  );

/**
 * Reader B often reads nothing in a long row of fillers, or a K. A filler contains no data, so this counts as agreement. A number that
 * ends with K cannot pass as one that is shorter, since the print must have the same number.
 */
export const agree = ([a, b]: Pair): boolean => a === b || (a === '<' && (b === '' || b === 'K'));

export const shareAgreed = (pairs: readonly Pair[]): number =>
  pairs.filter(agree).length / Math.max(pairs.length, 1);

/** With more such places, something else is wrong. */
const letterOsMax = 4;

/**
 * Reader B reads the letter O as a zero. Where reader A reads an O and reader B a zero, the check digits tell which one it is, if no other way of
 * reading these places as O or zero makes all of them hold. At one place they always do: O counts 24 there, and 24 times 7, 3 or 1 is no multiple
 * of ten. Two can make up for each other, and then both stay as they were read.
 */
export function withLetterO(zone: ZoneText): ZoneText {
  const places = zone.a.flatMap((line, index) =>
    line.flatMap((seen, place) => (seen === 'O' && zone.b[index]?.[place] === '0' ? [{ index, place }] : [])),
  );
  if (places.length === 0 || places.length > letterOsMax) return zone;
  const ways = Array.from({ length: 2 ** places.length }, (_, way) =>
    places.filter((_, index) => (way >> index) % 2 === 1),
  );
  const isOtherWay = ways.slice(1).some((zeros) => holds(withAll(zone.a, zeros, '0')));
  return isOtherWay ? zone : { ...zone, b: withAll(zone.b, places, 'O') };
}

type Place = { index: number; place: number };
const withAll = (lines: string[][], places: readonly Place[], character: string): string[][] =>
  lines.map((line, index) =>
    line.map((seen, place) =>
      places.some((at) => at.index === index && at.place === place) ? character : seen,
    ),
  );

/** True if these lines can be parsed and all their check digits are right. */
export function holds(lines: string[][]): boolean {
  const parsed = parsedOf(folded(lines));
  return parsed !== undefined && checkDigitsOf(parsed).every(({ valid }) => valid);
}
