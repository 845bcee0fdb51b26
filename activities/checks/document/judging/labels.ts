import type { PrintLine } from './readings.ts';

/** What a label names. `other` is anything that is not sought by its label, such as the place of birth. */
export type LabelKind = 'surname' | 'given' | 'expiry' | 'other';

/** Capital letters without their accents, in which labels are known. */
export const withoutAccents = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toUpperCase();

/**
 * Beginnings of words that name a field. Every passport has its labels in English, French or Spanish besides its own language, and most
 * cards too. The first kind that fits is taken, since `Place of birth` and `Given names` have words of other labels.
 */
const beginnings: readonly (readonly [LabelKind, readonly string[]])[] = [
  [
    'expiry',
    [
      ...['EXPIR', 'GELDIG', 'GULTIG', 'VALID', 'SCADEN', 'CADUC', 'VENCIM', 'ABLAUF', 'WAZNOSC', 'PLATNOST'],
      ...['GYLDIG', 'GILTIG', 'VOIMASSA', 'KEHTIV', 'ERVENY', 'VALABIL'],
    ],
  ],
  [
    'other',
    [
      ...[
        'PLACE',
        'LIEU',
        'LUGAR',
        'LUOGO',
        'GEBURT',
        'GEBOORTE',
        'BIRTH',
        'NAISS',
        'NACIMIENTO',
        'NASCI',
        'ORT',
      ],
      ...[
        'NATIONAL',
        'NACIONAL',
        'STAATS',
        'CITTADIN',
        'AUTHORI',
        'AUTORI',
        'BEHORDE',
        'ISSU',
        'AFGIFTE',
        'AUSSTELL',
      ],
      ...['EXPEDICION', 'DELIVR', 'RILASCI', 'DATE', 'DATUM'],
      ...[
        'GESLACHT',
        'GESCHLECHT',
        'HEIGHT',
        'LENGTE',
        'TAILLE',
        'SIGNATURE',
        'HANDTEKENING',
        'UNTERSCHRIFT',
        'FIRMA',
      ],
      ...[
        'PASSPORT',
        'PASPOORT',
        'DOCUMENT',
        'NUMBER',
        'NUMERO',
        'PERSONAL',
        'MAIDEN',
        'BIRTHNAME',
        'ALIAS',
        'ADDRESS',
      ],
    ],
  ],
  [
    'given',
    [
      'GIVEN',
      'PRENOM',
      'VOORNA',
      'VORNAM',
      'NOMBRE',
      'NOME',
      'NOMI',
      'FORENAME',
      'FIRST',
      'IMIONA',
      'FORNA',
      'ETUNIM',
    ],
  ],
  [
    'surname',
    [
      ...[
        'SURNAME',
        'NOM',
        'NAAM',
        'NAME',
        'APELLIDO',
        'APELIDO',
        'COGNOME',
        'FAMIL',
        'NACHNAM',
        'ACHTERNA',
        'NAZWISK',
      ],
      ...['ETTERNAVN', 'EFTERNA', 'SUKUNIM', 'LAST'],
    ],
  ],
];

/** Words that are labels only as a whole, since names begin with them. */
const whole = new Set([
  'NOM',
  'NAME',
  'NAAM',
  'NOME',
  'NOMI',
  'FIRST',
  'LAST',
  'ORT',
  'DATE',
  'FIRMA',
  'FORNA',
  'FAMIL',
  'PLACE',
]);

/** A beginning of at least this length is known even if one of its letters was lost or misread. No name comes that near to it. */
const longMin = 8;

/** What the words of a line name. Undefined if they are no label. */
export function labelOf(words: readonly string[]): LabelKind | undefined {
  const names = (beginning: string) =>
    words.some((word) => (whole.has(beginning) ? word === beginning : beginsWith(word, beginning)));
  return beginnings.find(([, all]) => all.some(names))?.[0];
}

function beginsWith(word: string, beginning: string): boolean {
  if (word.startsWith(beginning)) return true;
  if (beginning.length < longMin) return false;
  return Array.from(beginning).some((_, place) => {
    const [before, after] = [beginning.slice(0, place), beginning.slice(place + 1)];
    return word.startsWith(before) && (word.startsWith(after, place) || word.startsWith(after, place + 1));
  });
}

/** Beginnings of words that say, where the date of expiry would be, that a document has no end. */
const endless = [
  ...['UNLIMITED', 'INDEFINI', 'PERMANEN', 'LIFETIME', 'ONBEPERKT', 'UNBEGRENZT', 'UNBEFRISTET', 'ILLIMIT'],
  ...['ILIMITAD', 'NELIMITAT', 'VITALIC', 'TRAJNO', 'DOZIVOTN', 'NEOMEZEN', 'NEOBMEDZEN', 'NEOGRANICEN'],
  ...['NIEOGRANICZON', 'NIEOZNACZON', 'BEZTERMIN', 'NETERMINUOT', 'NERIBOT', 'TAHTAJATU', 'TOISTAISEKSI'],
  ...['OBEGRANS', 'UBEGRENS', 'UBEGRÆNS', 'KORLATLAN', 'SURESIZ'],
];
/** The same in two words: one of these, and the name of the date that is missing. */
const without = ['NO', 'SANS', 'SIN', 'SEM', 'SENZA', 'ZONDER', 'OHNE', 'BEZ', 'NELKUL'];
const ends = ['EINDDATUM', 'END', 'LIMIT'];
/** A date that no calendar has. The last day of the year 9999 is a date like others. */
const noDay = /(?<!\d)(?:99\D{0,3}99\D{0,3}9999|9999\D{0,3}99\D{0,3}99)(?!\d)/;

/** True if a line says that a document has no end, in words or by a date that no calendar has. */
export function saysEndless(text: string): boolean {
  const words = wordsOf(text);
  const isEnd = (word = '') => labelOf([word]) === 'expiry' || ends.some((end) => word.startsWith(end));
  return (
    noDay.test(text) ||
    words.some((word) => endless.some((beginning) => word.startsWith(beginning))) ||
    (without.includes(words[0] ?? '') && isEnd(words[1]))
  );
}

/** The words of a line, without accents. */
export const wordsOf = (text: string): string[] =>
  withoutAccents(text)
    .split(/[^\p{Lu}\d]+/u)
    .filter(Boolean);

/** How far below its label a value stands at most, and how far to the right of it, in heights of the value. */
export const reach = { below: 2.4, beside: 14, apart: 2.5 } as const;

/** How far a value stands from a label: a small number if the label stands over the value or before it, else Infinity. */
export function distanceOf(value: PrintLine, label: PrintLine): number {
  if (value.side !== label.side) return Number.POSITIVE_INFINITY;
  const down = (value.middle - label.middle) / value.height;
  const right = (value.left - label.right) / value.height;
  if (Math.abs(down) < 0.5 && right > -0.5 && right < reach.beside) return Math.abs(right) + 0.5;
  const isOver = down >= 0.5 && down < reach.below;
  const begins = Math.abs(value.left - label.left) / value.height;
  return isOver && begins < reach.apart ? down + 0.2 * begins : Number.POSITIVE_INFINITY;
}
