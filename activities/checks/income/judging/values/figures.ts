import { type Cell, labelled, type Sheet, valuesOf } from './sheet.ts';
import { type Entry, type Figure, inYearSection, periodFigure, yearFigure } from './table.ts';
import { labels } from './terms.ts';

type Name = 'gross' | 'net' | 'taxable' | 'payments' | 'deductions';

/** All amounts that a slip may mean by a name, the likeliest first. Those of the year so far stand apart. */
export type Candidates = { period: Figure[]; year: Figure[] };

const candidatesMax = 4;

export function candidatesOf(sheet: Sheet, entries: readonly Entry[], name: Name): Candidates {
  const rule = labels[name];
  const figureOf = periodFigure(entries);
  const named = entries.filter(({ parts }) => parts.some((part) => rule.test(part)));
  const inColumns = entries
    .filter(isTotalRow)
    .flatMap(({ figures }) => figures.filter(({ heading }) => rule.test(heading)));
  const isYear = (cell: Cell) => inYearSection(sheet, cell);
  const beside = named.filter((entry) => !(isTotalRow(entry) && inColumns.length > 0));
  const apart = beside.length > 0 || inColumns.length > 0 ? [] : aboveOrBelow(sheet, rule);
  const period = [
    ...inColumns,
    ...beside.filter(({ label }) => !isYear(label)).flatMap((entry) => figureOf(entry) ?? []),
    ...apart.filter(({ cell }) => !isYear(cell)),
  ];
  const year = [
    ...beside.flatMap((entry) => (isYear(entry.label) ? entry.figures[0] : yearFigure(entry)) ?? []),
    ...apart.filter(({ cell }) => isYear(cell)),
    ...(period.length > 0 ? yearsApart(sheet, rule) : []),
  ];
  return { period: period.slice(0, candidatesMax), year: year.slice(0, candidatesMax) };
}

const isTotalRow = ({ parts, figures }: Entry) =>
  figures.length > 1 && parts.some((part) => /^tota(?:al|l)\b/.test(part));

function aboveOrBelow(sheet: Sheet, rule: RegExp): Figure[] {
  return labelled(sheet, rule).flatMap((label) => {
    const cell = valuesOf(sheet, label).find(({ amount }) => amount?.decimals);
    return cell?.amount === undefined
      ? []
      : [
          {
            cell,
            cents: cell.amount.cents,
            signed: cell.amount.signed,
            column: 'period' as const,
            heading: '',
          },
        ];
  });
}

const yearsApart = (sheet: Sheet, rule: RegExp): Figure[] =>
  aboveOrBelow(sheet, rule).filter(({ cell }) => inYearSection(sheet, cell));
