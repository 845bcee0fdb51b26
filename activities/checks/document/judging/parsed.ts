import { type Details, parse } from 'mrz';

/** What kind of document a zone is of. Nobody can be identified by a visa, which stands in a passport. */
export type ZoneKind = 'identity document' | 'visa' | 'driving licence';

/** A field of a zone. For a check digit, `ranges` also has the places from which it is calculated. */
export type Field = Pick<Details, 'field' | 'value' | 'valid' | 'ranges'>;

/** `kind` is undefined if the document code is one of no document that is known here. */
export type Parsed = { kind: ZoneKind | undefined; documentNumber: string | null; details: readonly Field[] };

/** Returns undefined if these lines are no zone. */
export function parsedOf(lines: string[][]): Parsed | undefined {
  const texts = lines.map((line) => line.join(''));
  const [first = ''] = texts;
  if (texts.length === 1) return licenceIn(first);
  try {
    const { details, documentNumber } = parse(texts);
    if (first.startsWith('V')) return { kind: 'visa', documentNumber, details: details.filter(isOfVisa) };
    const isKnown = details.some(({ field, valid }) => field === 'documentCode' && valid);
    return { kind: isKnown ? 'identity document' : undefined, documentNumber, details };
  } catch {
    return undefined;
  }
}

/**
 * A visa has the places of a passport or an older card (ICAO Doc 9303, part 7), but behind its date of expiry there are only optional data,
 * without check digits.
 */
const isOfVisa = ({ field }: Details): boolean =>
  field !== 'personalNumber' && field !== 'personalNumberCheckDigit' && field !== 'compositeCheckDigit';

/**
 * The line of the Dutch driving licence since 2014, the key to its chip: kind of document, kind of key, state, version of the model,
 * number, characters by chance, and a check digit over all of them (docs/choices/checks.md says where this is known from).
 */
const licenceLine = /^D1NLD\d(?<number>\d{10})[A-Z\d<]{13}(?<digit>.)$/;

function licenceIn(line: string): Parsed | undefined {
  const found = licenceLine.exec(line)?.groups;
  if (found === undefined) return undefined;
  const { number = '', digit = '' } = found;
  const field = (name: Details['field'], value: string, start: number, end: number): Field => ({
    ...{ field: name, value, valid: true },
    ranges: [{ line: 0, start, end }],
  });
  const last = line.length - 1;
  const covered = { line: 0, start: 0, end: last };
  const check = field('compositeCheckDigit', digit, last, line.length);
  return {
    kind: 'driving licence',
    documentNumber: number,
    details: [
      field('documentCode', 'D', 0, 1),
      field('issuingState', 'NLD', 2, 5),
      field('documentNumber', number, 6, 16),
      {
        ...check,
        valid: digit === String(checkDigitOf(line.slice(0, last))),
        ranges: [...check.ranges, covered],
      },
    ],
  };
}

/** The check digit of ICAO Doc 9303, part 3: weights 7, 3 and 1, letters count from 10, and a filler counts 0. */
function checkDigitOf(text: string): number {
  const weights = [7, 3, 1];
  const worth = (character: string) => (character === '<' ? 0 : Number.parseInt(character, 36));
  return Array.from(text, worth).reduce((sum, each, index) => sum + each * (weights[index % 3] ?? 0), 0) % 10;
}
