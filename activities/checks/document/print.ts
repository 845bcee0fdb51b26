import { distanceOf, type LabelKind, labelOf } from './labels.ts';
import type { PrintLine } from './readings.ts';
import { isSpelt } from './spelling.ts';

/**
 * Searches the printed text for values of the machine-readable zone. The zone writes names, numbers and dates differently from the
 * print.
 */
export type Printed = {
  hasNumber(number: string): boolean;
  /**
   * True if this name stands below or beside the label of such names, and no other name does. `isCut` is true if the zone had no room
   * for the whole name.
   */
  hasName(kind: NameKind, name: string, isCut?: boolean): boolean;
  /**
   * `sixDigits` is the date in the form of the zone, YYMMDD. `isYear` says whether the printed year is the one of the zone. It gets
   * undefined if the print has only two digits of the year.
   */
  hasDate(sixDigits: string, isYear: IsYear): boolean;
};

type IsYear = (year: number | undefined) => boolean;

export type NameKind = Exclude<LabelKind, 'other'>;

type Read = { line: PrintLine; words: string[]; label: LabelKind | undefined };

export function printedOf(lines: readonly PrintLine[]): Printed {
  const read = lines.map((line): Read => {
    const words = wordsOf(withoutAccents(line.text));
    // What was not read stands over digits. It is the label of something else.
    return { line, words, label: words.length === 0 ? 'other' : labelOf(words) };
  });
  const joined = read.map(({ words }) => words.join(''));
  return {
    hasNumber: (number) => saysNumber(number, read),
    hasName: (kind, name, isCut = false) => saysName(kind, name, isCut, read),
    hasDate: (sixDigits, isYear) => joined.some((line) => saysDate(line, sixDigits, isYear)),
  };
}

const wordsOf = (text: string) => text.split(/[^A-Z0-9]+/).filter(Boolean);

const withoutAccents = (line: string) =>
  line
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toUpperCase();

/** In many fonts of documents, O has the same shape as 0, and I has the same shape as 1. */
const alikeInPrint = (text: string) => text.replaceAll('O', '0').replaceAll('I', '1');

/**
 * True if some neighbouring words of one line make up the number when they are joined. The recogniser can lose spaces, and a label can
 * precede the number.
 */
function saysNumber(number: string, lines: readonly Read[]): boolean {
  const wanted = alikeInPrint(number);
  return (
    wanted !== '' &&
    lines.some(({ words }) =>
      words.some((_, start) =>
        words.some((_, end) => alikeInPrint(words.slice(start, end + 1).join('')) === wanted),
      ),
    )
  );
}

/** Every name under such a label must be the wanted one, and there must be one. So text elsewhere on the page bears out nothing. */
function saysName(kind: NameKind, name: string, isCut: boolean, lines: readonly Read[]): boolean {
  const labels = lines.filter(({ label }) => label !== undefined);
  const values = lines.filter(({ label }) => label === undefined);
  const wanted = name.replaceAll(' ', '');
  const named = values.filter((value) => nearestLabel(value, labels) === kind);
  const inLabels = labels.filter(
    ({ label, line }) => label === kind && isSpeltAtEnd(line.text, wanted, isCut),
  );
  const right = named.filter(({ line }) => isSpeltAtEnd(line.text, wanted, isCut));
  return wanted !== '' && right.length + inLabels.length > 0 && right.length === named.length;
}

function nearestLabel({ line }: Read, labels: readonly Read[]): LabelKind | undefined {
  const [nearest] = labels
    .map((label) => ({ label: label.label, distance: distanceOf(line, label.line) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance < Number.POSITIVE_INFINITY ? nearest.label : undefined;
}

/** True if the line is the wanted name, perhaps after a number such as `1.` or after its label. */
function isSpeltAtEnd(text: string, wanted: string, isCut: boolean): boolean {
  const words = text
    .toUpperCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
  const label = words.findLastIndex((word) => labelOf([withoutAccents(word)]) !== undefined);
  return isSpelt(words.slice(label + 1).join(''), wanted, isCut);
}

/**
 * Abbreviations of the months, in several languages of states that issue documents. A printed month contains one of its
 * abbreviations.
 */
const months = [
  ['JAN', 'GEN', 'ENE', 'STY'],
  ['FEB', 'FEV', 'LUT'],
  ['MAR', 'MRT', 'MAA', 'MAE'],
  ['APR', 'AVR', 'ABR'],
  ['MAY', 'MEI', 'MAI', 'MAG', 'MAJ'],
  ['JUN', 'JUIN', 'GIU'],
  ['JUL', 'JUIL', 'LUG'],
  ['AUG', 'AOU', 'AGO'],
  ['SEP', 'SET'],
  ['OCT', 'OKT', 'OTT', 'OUT'],
  ['NOV'],
  ['DEC', 'DEZ', 'DIC'],
];

/**
 * Dates in a line without spaces and signs. `dayFirst` has the order day, month (number or name), year. `yearFirst` has the order
 * year, month, day. A year may be printed in full.
 */
const dayFirst = /(?<!\d)(\d\d)(\d\d|[A-Z]{3,18})(\d\d)?(\d\d)(?!\d)/g;
const yearFirst = /(?<!\d)(\d\d)(\d\d)(\d\d)(\d\d)(?!\d)/g;

function saysDate(text: string, sixDigits: string, isYear: IsYear): boolean {
  const wanted = /^(\d\d)(\d\d)(\d\d)$/.exec(sixDigits);
  if (wanted === null) return false;
  const [, year, month = '', day] = wanted;
  const names = months[Number(month) - 1];
  if (names === undefined) return false;
  const line = withLetterO(text);
  const isMonth = (said = '') => said === month || names.some((name) => said.includes(name));
  const isWanted = (century: string | undefined, y = '') =>
    y === year && isYear(century === undefined ? undefined : Number(century + y));
  return (
    [...line.matchAll(dayFirst)].some(([, d, m, c, y]) => d === day && isMonth(m) && isWanted(c, y)) ||
    [...line.matchAll(yearFirst)].some(([, c, y, m, d]) => d === day && m === month && isWanted(c, y))
  );
}

/** Reader B sometimes reads the O of a month as 0. */
const withLetterO = (line: string) =>
  line
    .replaceAll('N0V', 'NOV')
    .replaceAll(/0(CT|KT|TT|UT)/g, 'O$1')
    .replaceAll('AG0', 'AGO');
