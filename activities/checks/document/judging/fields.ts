import type { ReadFieldName } from '#contract/documents/read-fields.ts';
import type { PrintedDate } from './dates.ts';
import { isBlank, isYearOfBirth, isYearOfExpiry } from './expiry.ts';
import type { Field } from './parsed.ts';
import { type NameKind, type Printed, printedOf } from './print.ts';
import type { PrintLine, Readings } from './readings.ts';
import {
  agree,
  fieldOf,
  namesOf,
  numberOf,
  pairsOf,
  textOf,
  understood,
  withLetterO,
  type ZoneText,
} from './zone-text.ts';

/** Places of one line of a zone, from `start` up to `end`, without the latter. */
export type ZonePlaces = { line: number; start: number; end: number };

/** A value of the zone. `print` are the lines that have it too, and undefined if it was not sought there. */
export type FoundField = {
  field: ReadFieldName;
  value: string;
  agreed: boolean;
  at: ZonePlaces;
  print: PrintLine[] | undefined;
};

/** What the zone says, for a person who looks at the document. Of a visa and a driving licence only the number is sought in print. */
export function fieldsOf({ zone, print }: Pick<Readings, 'zone' | 'print'>, today: string): FoundField[] {
  const text = zone && understood(zone);
  if (text === undefined) return [];
  const agreedText = withLetterO(text);
  const printed = printedOf(print);
  const isCompared = text.kind === 'identity document';
  return partsOf(text, today).flatMap(({ field, value, of, at, linesIn }) => {
    const places = at ?? fieldOf(text, of)?.ranges[0];
    if (places === undefined || value === '') return [];
    const agreed = pairsIn(agreedText, places).every(agree);
    const isSought = isCompared || (field === 'document_number' && text.kind === 'driving licence');
    return [{ field, value, agreed, at: places, print: isSought ? linesIn?.(printed) : undefined }];
  });
}

type Part = {
  field: ReadFieldName;
  value: string;
  of: Field['field'];
  /** If it is only a part of the field. */
  at?: ZonePlaces;
  linesIn?(printed: Printed): PrintLine[];
};

function partsOf(text: ZoneText, today: string): Part[] {
  const plain = (field: ReadFieldName, of: Field['field']): Part => ({
    ...{ field, of },
    value: textOf(text, of).replaceAll('<', ' ').trim(),
  });
  const date = (
    field: ReadFieldName,
    of: Field['field'],
    isYear: (year: number | undefined, sixDigits: string) => boolean,
  ): Part => {
    const sixDigits = textOf(text, of);
    const isSame = (one: PrintedDate) => one.sixDigits === sixDigits && isYear(one.year, sixDigits);
    return {
      ...{ field, of, value: isBlank(sixDigits) ? '' : dayFirst(sixDigits) },
      linesIn: ({ dates }) => dates.filter(isSame).map(({ line }) => line),
    };
  };
  return [
    ...namePartsOf(text),
    {
      ...{ field: 'document_number', of: 'documentNumber', value: numberOf(text) },
      linesIn: (printed) => printed.numberLines(numberOf(text)),
    },
    date('birth_date', 'birthDate', (year) => isYearOfBirth(year, today)),
    date('expiry_date', 'expirationDate', (year, sixDigits) => isYearOfExpiry(year, sixDigits, today)),
    plain('sex', 'sex'),
    plain('nationality', 'nationality'),
    plain('issuing_state', 'issuingState'),
  ];
}

/** Where the zone does not set them apart, the given names begin behind two fillers. */
function namePartsOf(text: ZoneText): Part[] {
  const { surname, given } = namesOf(text);
  // The only name of a holder can be printed as either.
  const kinds: readonly NameKind[] = ['surname', 'given'];
  const part = (field: ReadFieldName, of: 'lastName' | 'firstName', kind: NameKind): Part => {
    const { text: value, isCut } = kind === 'surname' ? surname : given;
    const sought = surname.text === '' || given.text === '' ? kinds : [kind];
    const linesIn = (printed: Printed) => sought.flatMap((each) => printed.nameLines(each, value, isCut));
    return { field, of, value, linesIn };
  };
  const parts = [part('surname', 'lastName', 'surname'), part('given_names', 'firstName', 'given')];
  const whole = fieldOf(text, 'lastName')?.ranges[0];
  if (whole === undefined || fieldOf(text, 'firstName')?.ranges[0]?.line !== whole.line) return parts;
  const names = textOf(text, 'lastName');
  const [first = ''] = names.split('<<', 1);
  const behind = whole.start + Math.min(first.length + 2, names.length);
  const last = whole.start + Array.from(names).findLastIndex((sign) => sign !== '<') + 1;
  const ends = [
    { line: whole.line, start: whole.start, end: whole.start + first.length },
    { line: whole.line, start: behind, end: Math.max(behind, last) },
  ];
  return parts.map((each, index) => ({ ...each, ...(ends[index] && { at: ends[index] }) }));
}

const pairsIn = (text: ZoneText, places: ZonePlaces) =>
  pairsOf(text, [{ field: null, value: null, valid: true, ranges: [places] }]);

const dayFirst = (sixDigits: string): string =>
  [sixDigits.slice(4, 6), sixDigits.slice(2, 4), sixDigits.slice(0, 2)].join('-').replaceAll('<', '?');
