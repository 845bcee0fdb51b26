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
    hasDate(sixDigits) {
      const form = dateForm(sixDigits);
      return form !== undefined && joined.some((line) => form.test(line));
    },
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

/** A date as a line of print without spaces and signs has it: day, month by number or name, year; or year first. */
function dateForm(sixDigits: string): RegExp | undefined {
  const [, years, month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(sixDigits) ?? [];
  const named = months[Number(month) - 1];
  if (years === undefined || named === undefined) return undefined;
  const byName = `[A-Z]{0,9}(?:${named.join('|')})[A-Z]{0,9}`;
  const year = `(?:19|20)?${years}`;
  return new RegExp(`(?<!\\d)(?:${day}(?:${month}|${byName})${year}|(?:19|20)${years}${month}${day})(?!\\d)`);
}
