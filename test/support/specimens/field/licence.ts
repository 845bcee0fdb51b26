import { type Drawing, drawCode, drawPortrait, print, printZone, type Sheet, sheetOf } from '../bsn/draw.ts';
import { bsnFrom } from '../bsn/numbers.ts';
import { licenceLineOf } from '../zone.ts';
import { type Holder, oneOf, type Random } from './people.ts';

/** A Dutch driving licence of the model of 2014. What is printed may differ from its line. */
export type Licence = Holder & {
  line: string;
  /** The text of the code on the back. */
  code: string;
  printedNumber: string;
  issue: string;
  bsn: string;
  /** Whether the numbers of the fields stand apart from the values, and how large the values are. */
  isApart: boolean;
  valueMm: number;
  font: 'sans' | 'bold' | 'condensed';
  busy: number;
};

const signs = Array.from('0123456789BDFGHLMNPRSTVWZ');

export function licenceOf(random: Random, person: Holder): Licence {
  const number = String(3_000_000_000 + Math.floor(random() * 6_000_000_000));
  const chance = Array.from({ length: 13 }, () => oneOf(random, signs)).join('');
  const line = licenceLineOf(number, chance);
  return {
    ...person,
    ...{ number, printedNumber: number, line, code: line },
    ...{ issue: '2024-03-05', bsn: bsnFrom(random), isApart: random() < 0.5 },
    valueMm: oneOf(random, [2, 2.3, 2.6]),
    font: oneOf(random, ['sans', 'bold', 'condensed'] as const),
    busy: oneOf(random, [0.6, 1, 1.6]),
  };
}

const dateOf = (date: string) => date.split('-').toReversed().join('.');
const card = (): Sheet => ({ wide: 85.6, high: 54, parts: [] });
const ground = (busy: number) => ({ busy, tint: 8 });

/** The front has the numbered fields of the European model, and the line at the bottom. */
export async function drawLicenceFront(licence: Licence): Promise<Drawing> {
  const { isApart, valueMm, font, birth, expiry, issue, printedNumber, line, busy } = licence;
  const front = card();
  await drawPortrait(front, 4, 12, 22);
  await print(front, 'RIJBEWIJS', 30, 2.4, { font: 'bold', mm: 2.4 });
  await print(front, 'KONINKRIJK DER NEDERLANDEN', 50, 2.8, { mm: 1.6 });
  const fields: [label: string, value: string, left: number, row: number][] = [
    ['1.', licence.printedSurname, 30, 0],
    ['2.', licence.printedGivenNames, 30, 1],
    ['3.', `${dateOf(birth)} SPRINGHAVEN`, 30, 2],
    ['4a.', dateOf(issue), 30, 3],
    ['4c.', 'SPRINGHAVEN', 58, 3],
    ['4b.', dateOf(expiry), 30, 4],
    ['5.', printedNumber, 30, 5],
    ['9.', 'AM/B/T', 30, 6],
  ];
  for (const [label, value, left, row] of fields) {
    const top = 7.4 + row * 4.6;
    if (isApart) await print(front, label, left, top + 0.5, { mm: 1.6 });
    const text = isApart ? value : `${label} ${value}`;
    await print(front, text, isApart ? left + 5 : left, top, { font, mm: valueMm });
  }
  await printZone(front, [line]);
  return sheetOf(front, ground(busy));
}

const categories = ['AM', 'A1', 'A2', 'A', 'B', 'C1', 'C', 'D1', 'D', 'BE', 'T'];

/** The back has the citizen service number, the table of categories, and the line as a code. */
export async function drawLicenceBack({ bsn, printedNumber, expiry, code, busy }: Licence): Promise<Drawing> {
  const back = card();
  await print(back, `${bsn} / ${printedNumber}`, 4, 3, { mm: 1.8 });
  await print(back, '9.        10.              11.              12.', 36, 3, { mm: 1.4 });
  for (const [index, category] of categories.entries()) {
    const top = 6.4 + index * 3.9;
    await print(back, category, 28, top, { mm: 1.8 });
    if (!['AM', 'B', 'T'].includes(category)) continue;
    await print(back, '05.03.24', 37, top, { mm: 1.6 });
    await print(back, dateOf(expiry).replace(/\d\d(\d\d)$/, '$1'), 48, top, { mm: 1.6 });
  }
  await drawCode(back, code, 'QRCode', 64, 30, 18);
  return sheetOf(back, ground(busy));
}
