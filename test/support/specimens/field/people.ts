import type { Person } from '../people.ts';

/** An invented person. The printed names may have accents and small letters; those of `Person` are written as in a zone. */
export type Holder = Person & { printedSurname: string; printedGivenNames: string };

/** Surnames as they are printed and as the zone writes them. Every name is invented or very common. */
const surnames: readonly string[] = [
  ...['JANSSEN', 'DE BOER', 'VISSER', 'VAN DER ZEEBERG', 'HOFFSTRA', 'LINDQVARN', 'MOOSGAARD', 'TESTMANN'],
  ...[
    'BRIGHTWATER',
    'KOWALCZUK',
    'FERREIRA',
    'ROSSELLI',
    'QUILLFEATHER',
    'OSTERHAGEN',
    'DUPONTEL',
    'ELSINGA',
  ],
];
const accented: readonly (readonly [printed: string, zone: string])[] = [
  ['MÜLLERSTEIN', 'MUELLERSTEIN'],
  ['JØRGENSTAD', 'JOERGENSTAD'],
  ['ÅKERLUNDEN', 'AAKERLUNDEN'],
  ['PIÑEIRALES', 'PINEIRALES'],
  ['ŁUKASZEVIC', 'LUKASZEVIC'],
  ['ÇELIKTAS', 'CELIKTAS'],
  ['LEFÈVRIER', 'LEFEVRIER'],
  ['ÞORSTEINN', 'THORSTEINN'],
];
const givenNames: readonly string[] = [
  ...['ANNA MARIA', 'WILLEM', 'ZOE', 'JONAS KLAUS', 'IMOGEN VITA', 'SVEND', 'EBBA SIGRID', 'GUDRUN'],
  ...['PAT', 'ARIE JAN PIET', 'LUCIA', 'MAREK', 'FATIMA NOOR', 'TIJMEN', 'ELS', 'HENRI LOUIS'],
];
const states = ['NLD', 'UTO', 'D', 'DNK', 'SWE', 'AUT', 'BEL', 'ESP', 'POL', 'ITA'];

export type Random = () => number;

/** Returns one of the values. */
export const oneOf = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random() * values.length)] as T;

export const between = (random: Random, from: number, to: number): number => from + (to - from) * random();

/** Returns a number of either sign. */
export const either = (random: Random, from: number, to: number): number =>
  (random() < 0.5 ? -1 : 1) * between(random, from, to);

export function holder(random: Random, hasAccents = false): Holder {
  const plainSurname = oneOf(random, surnames);
  const [printedSurname, surname] = hasAccents
    ? oneOf(random, accented)
    : ([plainSurname, plainSurname] as const);
  const given = oneOf(random, givenNames);
  return {
    surname,
    givenNames: given,
    printedSurname,
    printedGivenNames: given,
    nationality: oneOf(random, states),
    number: numberOf(random),
    birth: day(random, 1945, 2006),
    sex: oneOf(random, ['F', 'M'] as const),
    expiry: day(random, 2027, 2035),
  };
}

const day = (random: Random, from: number, to: number) =>
  [
    Math.floor(between(random, from, to + 1)),
    twoDigits(between(random, 1, 13)),
    twoDigits(between(random, 1, 29)),
  ].join('-');

const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');

/** Issuing states use letters and digits in other ways, and most of them avoid letters that look like digits. */
function numberOf(random: Random): string {
  const letters = random() < 0.15 ? 'ABCOI' : 'ABCDEFHKLMNPRSTUVWXYZ';
  const pattern = oneOf(random, ['AA999A999', '999999999', 'A99999999', 'AA9999999', 'A9AAA9A99']);
  return Array.from(pattern, (kind) => oneOf(random, Array.from(kind === 'A' ? letters : '0123456789'))).join(
    '',
  );
}
