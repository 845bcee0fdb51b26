import { datesIn } from './dates.ts';
import type { Readings } from './readings.ts';

/** How much of what a driving licence should say was found, as shares from 0 to 1. */
export type LicencePrint = { consistency: number; expiry: number };

/**
 * Compares print and code of a Dutch driving licence with its zone, which has the number alone (field 5). The dates of birth, issue and expiry
 * (fields 3, 4a and 4b of Directive 2006/126/EC, annex I) are told apart by their order, since a reader often loses such small labels. One
 * reader has read them, and nothing bears out a name: print that was altered says here what genuine print says. So none of it is a proof.
 */
export function licencePrint(
  number: string,
  { print, codeNumbers }: Pick<Readings, 'print' | 'codeNumbers'>,
  today: string,
): LicencePrint {
  const days = new Set(print.flatMap(({ text }) => daysIn(text)));
  const [, issue = '', expiry = ''] = [...days].toSorted();
  const areInOrder = days.size === 3 && issue <= today;
  // Both sides have the number, and the back has it in its code too. Another one is that of another licence.
  const printed = print.flatMap(({ text }) => text.replaceAll('O', '0').match(/(?<!\d)\d{10}(?!\d)/g) ?? []);
  const numbers = [...printed, ...codeNumbers];
  const isSame = numbers.length > 0 && numbers.every((found) => found === number);
  return {
    consistency: isSame ? (areInOrder ? 1 : 0.5) : 0,
    expiry: areInOrder && expiry >= today ? 0.5 : 0,
  };
}

/** The days whose year is printed in full. Those of the categories on the back have two digits of it. */
const daysIn = (text: string): string[] =>
  datesIn(text).flatMap(({ sixDigits, year }) =>
    year === undefined ? [] : [`${year}-${sixDigits.slice(2, 4)}-${sixDigits.slice(4)}`],
  );
