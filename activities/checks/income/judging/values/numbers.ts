import { isBsn } from '../../../document/masking/bsn.ts';
import { daysIn } from './dates.ts';
import { labelled, type Sheet, valuesOf } from './sheet.ts';
import { labels } from './terms.ts';

/** Numbers by which papers name accounts, employers and persons. */

/** The length of an account number by country, after the register of ISO 13616. Those of other countries are judged by their test alone. */
const ibanLengths: Readonly<Record<string, number>> = {
  ...{ NL: 18, BE: 16, DE: 22, FR: 27, LU: 20, GB: 22, IE: 22, ES: 24, PT: 25, IT: 27, AT: 20, CH: 21 },
  ...{ PL: 28, RO: 24, BG: 22, HU: 28, CZ: 24, SK: 24, SI: 19, HR: 21, GR: 27, DK: 18, SE: 24, NO: 15 },
  ...{ FI: 18, EE: 20, LV: 21, LT: 20, MT: 31, CY: 28, LI: 21, IS: 26 },
};

/** The test of ISO 13616: letters count as numbers from 10 on, and the rest by 97 is 1. */
export function isIban(text: string): boolean {
  const plain = text.replaceAll(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(plain)) return false;
  const length = ibanLengths[plain.slice(0, 2)];
  if (length !== undefined && plain.length !== length) return false;
  const turned = plain.slice(4) + plain.slice(0, 4);
  let rest = 0;
  for (const sign of turned) rest = Number(`${rest}${Number.parseInt(sign, 36)}`) % 97;
  return rest === 1;
}

/** Dutch account numbers in a text, right or wrong. Their length is fixed. */
export const ibansIn = (text: string): string[] =>
  (text.toUpperCase().match(/(?<![A-Z0-9])NL\s?\d{2}\s?[A-Z]{4}\s?(?:\d\s?){10}(?!\d)/g) ?? []).map((found) =>
    found.replaceAll(/\s/g, ''),
  );

/** Foreign account numbers in a text for which the test holds. */
export const hasForeignIban = (text: string): boolean =>
  (
    text
      .toUpperCase()
      .match(/(?<![A-Z0-9])(?!NL)[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}(?:\s?[A-Z0-9]{1,3})?(?![A-Z0-9])/g) ??
    []
  ).some(isIban);

/** Wage tax numbers: nine digits with the test of eleven, L and two digits. */
export const wageTaxNumbersIn = (text: string): string[] =>
  (text.toUpperCase().match(/(?<!\d)\d{9}\s?L\s?\d{2}(?!\d)/g) ?? []).map((found) =>
    found.replaceAll(/\s/g, ''),
  );

export const isWageTaxNumber = (text: string): boolean =>
  /^\d{9}L\d{2}$/.test(text) && isBsn(text.slice(0, 9));

type Kind = 'citizenNumber' | 'wageTaxNumber' | 'account';

/** What a number beside its label looks like, whether it is right or wrong. A covered or masked one is none. */
const forms = {
  citizenNumber: /^\d{8,10}$/,
  wageTaxNumber: /^\d{7,11}(?:L\d{0,3})?$/,
  account: /^[A-Z]{2}\d{2}[A-Z0-9]{8,30}$/,
} as const;
const tests = {
  citizenNumber: (text: string) => isBsn(text.padStart(9, '0')),
  wageTaxNumber: isWageTaxNumber,
  account: isIban,
} as const;

/** The cells where a number stands beside its label in a wrong form. */
export const wrongNumbers = (sheet: Sheet, kind: Kind) =>
  labelled(sheet, labels[kind]).flatMap((label) => {
    const values = valuesOf(sheet, label).map((cell) => ({
      cell,
      number: cell.text.replaceAll(/[\s.]/g, '').toUpperCase(),
    }));
    const found = values.find(
      ({ number, cell }) =>
        forms[kind].test(number) && (kind === 'account' || daysIn(cell.text).length === 0),
    );
    return found === undefined || tests[kind](found.number) ? [] : [found];
  });

/** Numbers of the chamber of commerce that stand after their label. */
export const chamberNumbersIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:kvk|k\.v\.k\.|coc)\b\D{0,25}(\d[\d .]*\d)(?![\d,-])/gi)].map(([, digits = '']) =>
    digits.replaceAll(/\D/g, ''),
  );

/** Citizen service numbers: nine digits for which the test of eleven holds, and that are no part of another number. */
export const citizenNumbersIn = (text: string): string[] => [
  ...new Set(
    (
      text.match(
        /(?<![\dA-Za-z.,])\d{4}[. ]?\d{2}[. ]?\d{3}(?!\s?L\s?\d\d|[\d,])|(?<![\dA-Za-z.,])\d{3}[. ]\d{3}[. ]\d{3}(?![\d,])/g,
      ) ?? []
    )
      .map((found) => found.replaceAll(/\D/g, ''))
      .filter(isBsn),
  ),
];
