import { type Cell, isLabel, partsOf, plain, type Sheet } from './sheet.ts';
import { columns, labels, lines, sections } from './terms.ts';

/** What the heading of an amount's column says it is. */
export type Column = 'period' | 'year' | 'factor' | 'aside' | 'minus';
export type Figure = { cell: Cell; cents: number; signed: boolean; column: Column; heading: string };
export type LineKind = keyof typeof lines | 'total' | 'unknown';

export type Section = keyof typeof sections;
/** A label with the amounts to its right, and the section in which it stands. */
export type Entry = {
  label: Cell;
  parts: string[];
  kind: LineKind;
  section: Section | undefined;
  /** True in a row of totals: a deduction there is the sum of lines, or the only line of its kind. */
  amongTotals: boolean;
  figures: Figure[];
};

const headingWords =
  /bedrag|amount|periode|period|bruto|netto|gross|net|betaling|payment|uitbetaling|loon|vergoeding|earnings/;
/** The heading of a column ends or begins this near to its amounts, in points. */
const alignedMax = 8;

export function entriesOf(sheet: Sheet): Entry[] {
  const headings = sheet.rows
    .filter((row) => !row.some(isFigure))
    .flat()
    .filter(isLabel);
  return sheet.rows
    .flatMap((row) => {
      if (row.some(isLabel)) return besideLabels(row, headings).map((entry) => inSection(sheet, entry));
      return amongTotals(belowLabels(row, headings).map((entry) => inSection(sheet, entry)));
    })
    .map(withFactors);
}

function besideLabels(row: readonly Cell[], headings: readonly Cell[]): Entry[] {
  const entries: Entry[] = [];
  for (const cell of row) {
    if (isLabel(cell)) entries.push(entryOf(cell));
    else if (isFigure(cell)) entries.at(-1)?.figures.push(figureOf(cell, headings));
  }
  return entries.filter(({ figures }) => figures.length > 0);
}

const belowLabels = (row: readonly Cell[], headings: readonly Cell[]): Entry[] =>
  row.filter(isFigure).flatMap((cell) => {
    const above = labelAbove(cell, headings);
    return above === undefined ? [] : [{ ...entryOf(above), figures: [figureOf(cell, [])] }];
  });

/** The label of an amount in a row without labels stands in one of the rows just above. */
const labelAbove = (cell: Cell, headings: readonly Cell[]) =>
  headings.findLast(
    (each) =>
      each.page === cell.page && each.row < cell.row && each.row >= cell.row - 2 && isOver(each, cell),
  );

const isFigure = ({ amount }: Cell) => amount?.decimals === true;

function entryOf(label: Cell): Entry {
  const parts = partsOf(label.text);
  return { label, parts, kind: 'unknown', section: undefined, amongTotals: false, figures: [] };
}

function amongTotals(entries: readonly Entry[]): Entry[] {
  const is = entries.filter(({ kind }) => kind === 'total').length > 1;
  return entries.map((entry) => ({ ...entry, amongTotals: is }));
}

function inSection(sheet: Sheet, entry: Entry): Entry {
  const section = sectionOf(sheet, entry.label);
  return { ...entry, section, kind: kindOf(entry.parts, section) };
}

/** A heading begins this much to the left of its lines at most, and a little to the right of them. */
const indentMax = 14;
const outdentMax = 3;
/** Rows that are looked at upwards for the heading of a section. */
const sectionRowsMax = 40;

/** The section that the nearest heading above a label begins. A heading has no amount on its row, or at least none beside it. */
function sectionOf(sheet: Sheet, label: Cell): Section | undefined {
  if (inYearSection(sheet, label)) return 'aside';
  for (let row = label.row - 1; row >= Math.max(0, label.row - sectionRowsMax); row--) {
    const cells = sheet.rows[row] ?? [];
    const at = cells.findIndex(
      ({ box }) => label.box[0] - box[0] <= indentMax && box[0] - label.box[0] <= outdentMax,
    );
    const heading = cells[at];
    if (heading === undefined || heading.page !== label.page || !isLabel(heading)) continue;
    const next = cells.slice(at + 1).find((cell) => isLabel(cell) || isFigure(cell));
    if (next !== undefined && isFigure(next)) continue;
    const parts = partsOf(heading.text);
    const names = Object.keys(sections) as Section[];
    const found = names.find((name) => parts.some((part) => sections[name].test(part)));
    if (found !== undefined) return found;
  }
  return undefined;
}

const yearRowsMax = 12;

/** True if the nearest heading above speaks of the year so far. */
export function inYearSection(sheet: Sheet, cell: Cell): boolean {
  for (let row = cell.row - 1; row >= Math.max(0, cell.row - yearRowsMax); row--) {
    const cells = sheet.rows[row] ?? [];
    if (cells[0]?.page !== cell.page || cells.some(({ amount }) => amount?.decimals)) continue;
    const heading = cells.find((each) => each.box[0] <= cell.box[2] && /\p{L}{3}/u.test(each.text));
    if (heading === undefined || cells.length > 2) continue;
    return columns.year.test(heading.text.toLowerCase());
  }
  return false;
}

const totals = [labels.gross, labels.net, labels.taxable, labels.payments, labels.deductions];

function kindOf(parts: readonly string[], section: Section | undefined): LineKind {
  if (totals.some((rule) => parts.some((part) => rule.test(part)))) return 'total';
  if (parts.some((part) => /^(?:uit te betalen|te betalen|over te maken|wij betalen|paid to) /.test(part)))
    return 'total';
  if (parts.some((part) => /^(?:sub)?tota(?:al|l)\b/.test(part))) return 'total';
  if (section === 'aside') return 'aside';
  const kinds = ['aside', 'deduction', 'addition', 'earning'] as const;
  const own = kinds.find((kind) => parts.some((part) => lines[kind].test(part))) ?? 'unknown';
  if (own === 'aside' || own === 'addition') return own;
  if (section === 'gross') return 'earning';
  if (section === 'deduction') return 'deduction';
  return section === 'net' && own !== 'deduction' ? 'addition' : own;
}

function figureOf(cell: Cell, headings: readonly Cell[]): Figure {
  const heading = headings.findLast(
    (each) =>
      each.page === cell.page && each.row < cell.row && isOver(each, cell) && isHeading(plain(each.text)),
  );
  const text = heading === undefined ? '' : plain(heading.text);
  const { cents = 0, signed = false } = cell.amount ?? {};
  return { cell, cents, signed, heading: text, column: columnOf(text) };
}

const isHeading = (text: string) => columnOf(text) !== 'period' || headingWords.test(text);

function isOver({ box: heading }: Cell, { box }: Cell): boolean {
  if (Math.abs(heading[2] - box[2]) <= alignedMax || Math.abs(heading[0] - box[0]) <= 2) return true;
  const shared = Math.min(heading[2], box[2]) - Math.max(heading[0], box[0]);
  return shared >= 0.6 * Math.min(heading[2] - heading[0], box[2] - box[0]);
}

function columnOf(heading: string): Column {
  for (const column of ['year', 'factor', 'aside', 'minus'] as const)
    if (columns[column].test(heading)) return column;
  return 'period';
}

/** Hours and their rate stand before their product. Without headings, the product tells them. */
function withFactors(entry: Entry): Entry {
  const [hours, rate, product] = entry.figures;
  if (!hours || !rate || !product || entry.figures.some(({ column }) => column === 'factor')) return entry;
  const isProduct = Math.abs((hours.cents * rate.cents) / 100 - product.cents) <= hours.cents / 200 + 1;
  if (!isProduct) return entry;
  return {
    ...entry,
    figures: [{ ...hours, column: 'factor' }, { ...rate, column: 'factor' }, ...entry.figures.slice(2)],
  };
}

/**
 * The amount of an entry that counts in its period. A heading tells it. Without one, it is in the column that most lines have: hours and
 * rates are missing on many lines, and the year so far stands behind the period.
 */
export function periodFigure(entries: readonly Entry[]): ({ figures }: Entry) => Figure | undefined {
  const figures = entries.flatMap((entry) => entry.figures);
  const inColumn = ({ cell }: Figure) =>
    figures.filter(
      (other) => other.cell.page === cell.page && Math.abs(other.cell.box[2] - cell.box[2]) <= columnMax,
    ).length;
  return (entry) => {
    const own = entry.figures.filter(({ column }) => column === 'period' || column === 'minus');
    const headed = own.find(({ heading }) => heading !== '');
    if (headed !== undefined || own.length < 2) return headed ?? own[0];
    return own.reduce((best, each) => (inColumn(each) > inColumn(best) ? each : best));
  };
}

const columnMax = 2;

/** The amount of an entry for the year so far. Without a heading nothing is taken for it. */
export const yearFigure = ({ figures }: Entry): Figure | undefined =>
  figures.find(({ column }) => column === 'year');
