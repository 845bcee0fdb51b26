/**
 * Searches the printed text for values of the machine-readable zone. The zone writes names, numbers and dates differently from the
 * print.
 */
export type Printed = {
  hasNumber(number: string): boolean;
  hasName(name: string): boolean;
  /** `sixDigits` is the date in the form of the zone, YYMMDD. */
  hasDate(sixDigits: string): boolean;
};

export function printedOf(lines: readonly string[]): Printed {
  const words = lines.map((line) =>
    withoutAccents(line)
      .split(/[^A-Z0-9]+/)
      .filter(Boolean),
  );
  const joined = words.map((line) => line.join(''));
  return {
    hasNumber: (number) => isSaid(number, words, alikeInPrint),
    hasName: (name) => isSaid(name.replaceAll(' ', ''), words, alikeInZones),
    hasDate: (sixDigits) => joined.some((line) => saysDate(line, sixDigits)),
  };
}

const withoutAccents = (line: string) =>
  line
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
    .toUpperCase();

/** In many fonts of documents, O has the same shape as 0, and I has the same shape as 1. */
const alikeInPrint = (text: string) => text.replaceAll('O', '0').replaceAll('I', '1');

/**
 * The zone writes Ä, Ö and Ü as AE, OE and UE, but `withoutAccents` has changed the printed letters to A, O and U. To make the
 * texts comparable, this E is removed. SS becomes S for the same reason.
 */
const alikeInZones = (text: string) => text.replaceAll(/([AOU])E/g, '$1').replaceAll('SS', 'S');

/**
 * True if some neighbouring words of one line make up the wanted text when they are joined. The recogniser can lose spaces, and a
 * label can precede the text.
 */
function isSaid(wanted: string, lines: string[][], alike: (text: string) => string): boolean {
  const sameAsWanted = (words: string[]) => alike(words.join('')) === alike(wanted);
  return (
    wanted !== '' &&
    lines.some((words) =>
      words.some((_, start) => words.some((_, end) => sameAsWanted(words.slice(start, end + 1)))),
    )
  );
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
 * year, month, day.
 */
const dayFirst = /(?<!\d)(\d\d)(\d\d|[A-Z]{3,18})(?:19|20)?(\d\d)(?!\d)/g;
const yearFirst = /(?<!\d)(?:19|20)(\d\d)(\d\d)(\d\d)(?!\d)/g;

function saysDate(line: string, sixDigits: string): boolean {
  const wanted = /^(\d\d)(\d\d)(\d\d)$/.exec(sixDigits);
  if (wanted === null) return false;
  const [, year, month = '', day] = wanted;
  const names = months[Number(month) - 1];
  if (names === undefined) return false;
  const isMonth = (said = '') => said === month || names.some((name) => said.includes(name));
  return (
    [...line.matchAll(dayFirst)].some(([, d, m, y]) => d === day && isMonth(m) && y === year) ||
    [...line.matchAll(yearFirst)].some(([, y, m, d]) => d === day && m === month && y === year)
  );
}
