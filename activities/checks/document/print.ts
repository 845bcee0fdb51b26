/** Whether lines of print say what a machine-readable zone says, in which names, numbers and dates are written otherwise. */
export type Printed = {
  hasNumber(number: string): boolean;
  hasName(name: string): boolean;
  /** Given as a zone has it, year first in two digits. */
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

/** In many a font of documents these cannot be told apart. */
const alikeInPrint = (text: string) => text.replaceAll('O', '0').replaceAll('I', '1');

/** A zone writes Ä as AE, and what was Ä in print has lost its dots here. */
const alikeInZones = (text: string) => text.replaceAll(/([AOU])E/g, '$1').replaceAll('SS', 'S');

/** Words of one line, next to each other, are all of it: a reader loses spaces, and a label may stand before it. */
function isSaid(wanted: string, lines: string[][], alike: (text: string) => string): boolean {
  const sameAsWanted = (words: string[]) => alike(words.join('')) === alike(wanted);
  return (
    wanted !== '' &&
    lines.some((words) =>
      words.some((_, start) => words.some((_, end) => sameAsWanted(words.slice(start, end + 1)))),
    )
  );
}

/** What months are called in the languages of issuing states, as far as their first letters tell. */
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

/** Dates as a line of print without spaces and signs has them: day, month by number or name, year; or year first. */
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
