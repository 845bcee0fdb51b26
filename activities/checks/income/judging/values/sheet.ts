import type { Box, ReadablePaper, Word } from '#contract/income/papers.ts';
import { type Amount, amountOf } from './amounts.ts';

/** Words that stand together on a line: a text or one amount. */
export type Cell = {
  page: number;
  row: number;
  text: string;
  box: Box;
  size: number;
  amount: Amount | undefined;
};
/** A sheet is all cells of a paper, row by row. */
export type Sheet = { rows: Cell[][]; cells: Cell[]; text: string };

/** Words further apart than this share of their size belong to two cells. */
const gapMax = 0.75;
/** Words on one row have their middles this near, as a share of their size. */
const middleMax = 0.35;

/** Only words that a reader sees, and that stand upright. */
export function sheetOf({ pages }: ReadablePaper): Sheet {
  const rows = pages.flatMap(({ words }, page) =>
    rowsOf(words.filter(({ hidden, turned }) => hidden === null && !turned)).map((row) => ({ page, row })),
  );
  const cells = rows.map(({ page, row }, index) => cellsOf(row, page, index));
  return {
    rows: cells,
    cells: cells.flat(),
    text: cells.map((row) => row.map(({ text }) => text).join('  ')).join('\n'),
  };
}

const middleOf = ({ box }: { box: Box }) => (box[1] + box[3]) / 2;

function rowsOf(words: readonly Word[]): Word[][] {
  const rows: Word[][] = [];
  for (const word of words.toSorted((one, other) => middleOf(one) - middleOf(other))) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (row && last && middleOf(word) - middleOf(last) <= middleMax * Math.min(word.size, last.size))
      row.push(word);
    else rows.push([word]);
  }
  return rows.map((row) => row.toSorted((one, other) => one.box[0] - other.box[0]));
}

const isSign = (text: string) => /^(?:€|EUR|-\/-|[-−–+(]|[-−–+]€|€[-−–])$/i.test(text);
/** A year or a number of a house stays in its text. */
const isNumber = (text: string) => /[.,]\d/.test(text) && amountOf(text.replace(/[()]/g, '')) !== undefined;
const isMinus = (text: string) => /^(?:[-−–)]|-\/-)$/.test(text);

function cellsOf(row: readonly Word[], page: number, index: number): Cell[] {
  const groups: Word[][] = [];
  for (const word of row) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last !== undefined && word.box[0] - last.box[2] <= gapMax * Math.max(word.size, last.size);
    if (group && last && isNear && belongs(group, last, word)) group.push(word);
    else groups.push([word]);
  }
  return groups.map((group) => cellOf(group, page, index));
}

/** A sign belongs to its number, and a number stands apart from a text. */
function belongs(group: readonly Word[], last: Word, next: Word): boolean {
  const begun = group.map(({ text }) => text).join(' ');
  if (isNumber(next.text)) return group.every(({ text }) => isSign(text));
  if (isSign(next.text) && group.every(({ text }) => isSign(text))) return true;
  if (isSign(next.text)) return isMinus(next.text) && (isNumber(last.text) || /\p{L}|\d/u.test(begun));
  if (next.text === '%') return true;
  return amountOf(begun) === undefined || !isNumber(last.text)
    ? !group.every(({ text }) => isSign(text))
    : false;
}

function cellOf(words: readonly Word[], page: number, row: number): Cell {
  const text = words.map((word) => word.text).join(' ');
  return {
    ...{ page, row, text, amount: amountOf(text) },
    box: [
      Math.min(...words.map(({ box }) => box[0])),
      Math.min(...words.map(({ box }) => box[1])),
      Math.max(...words.map(({ box }) => box[2])),
      Math.max(...words.map(({ box }) => box[3])),
    ],
    size: Math.max(...words.map(({ size }) => size)),
  };
}

/** A label in plain letters, without ligatures, each part of a bilingual one by itself. */
export const partsOf = (text: string): string[] => [plain(text), ...text.split(/\s[/|]\s/).map(plain)];

/** Letters that are no letter with a mark. */
const letters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', Ø: 'o', ł: 'l', Ł: 'l', đ: 'd', Đ: 'd', ß: 'ss', æ: 'ae', Æ: 'ae', œ: 'oe', Œ: 'oe' },
  ...{ ı: 'i', İ: 'i' },
};

export const plain = (text: string): string =>
  text
    .replace(/[øØłŁđĐßæÆœŒıİ]/g, (letter) => letters[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9%]+/g, ' ')
    .trim();

/** Dates, percentages and numbers such as `2026` are cells without cents. They are values, not labels. */
export const isLabel = ({ text, amount }: Cell) => amount === undefined && /\p{L}{2}/u.test(text);

/** Rows further apart than this many times the size of the print do not belong together. */
const rowsApartMax = 2.6;

/** The cells where the value of a label can stand, the likeliest first: to its right, below it, above it. */
export function valuesOf(sheet: Sheet, label: Cell): Cell[] {
  const row = sheet.rows[label.row] ?? [];
  const right = row.filter(({ box }) => box[0] >= label.box[2] - 1);
  const upTo = right.findIndex((cell) => isLabel(cell) && right.indexOf(cell) > 0);
  const beside = upTo < 0 ? right : right.slice(0, upTo);
  const near = (cell: Cell) =>
    cell.page === label.page &&
    Math.abs(middleOf(cell) - middleOf(label)) <= rowsApartMax * Math.max(cell.size, label.size) &&
    cell.box[0] < label.box[2] + 2 &&
    cell.box[2] > label.box[0] - 2;
  const rowsBelow = sheet.rows
    .slice(label.row + 1, label.row + 3)
    .flat()
    .filter(near);
  const rowsAbove = sheet.rows
    .slice(Math.max(0, label.row - 2), label.row)
    .toReversed()
    .flat()
    .filter(near);
  return [...beside, ...rowsBelow, ...rowsAbove];
}

/** All labels of a sheet that a rule knows. A label can end with a colon and its value. */
export const labelled = (sheet: Sheet, rule: RegExp): Cell[] =>
  sheet.cells.filter((cell) => isLabel(cell) && partsOf(cell.text).some((part) => rule.test(part)));
