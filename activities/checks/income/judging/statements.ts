import { at, doubt, type Finding, notApplicable, passed, type ReadPaper, sign, together } from './finding.ts';
import type { Settled } from './sums.ts';
import { euros } from './values/amounts.ts';
import type { Period } from './values/dates.ts';
import { daysIn, monthPeriod, periodIn } from './values/dates.ts';
import type { Cell, Sheet } from './values/sheet.ts';
import { isLabel, plain } from './values/sheet.ts';
import { labels } from './values/terms.ts';
import { yearlyBase } from './yearly.ts';

type Slip = { gross: number; period: Period; yearly: number };

/** The wage of a statement against that of the slips. Statements and slips count differently, so only a large difference is seen. */
export function statementArithmetic(
  paper: ReadPaper,
  slips: readonly ReadPaper[],
  settled: ReadonlyMap<string, Settled>,
): Finding {
  const known = slips.flatMap(({ id, reading }): Slip[] => {
    const { gross: figure, earned = [] } = settled.get(id) ?? {};
    const gross = figure?.cents;
    const period = reading.period?.value;
    if (gross === undefined || period === undefined || reading.frequency === null) return [];
    return [{ gross, period, yearly: yearlyBase(gross, earned, reading.frequency) }];
  });
  const { type } = paper.reading;
  if (type === 'uwv_statement')
    return together([monthsFinding(paper), ...known.map((slip) => insuredFinding(paper, slip))]);
  return together(known.slice(0, 1).map((slip) => yearlyFinding(paper, slip)));
}

/** The wage for social insurance can be below the gross wage by pension, and above it by holiday pay. */
const insuredShare = { least: 0.7, most: 1.35 } as const;

type Month = { period: Period; cents: number; cell: Cell; employer: string };

/** Rows that name a period and an amount, with the employer on the row or above it. */
function monthsIn(sheet: Sheet): Month[] {
  let employer = '';
  return sheet.rows.flatMap((row): Month[] => {
    const figure = row.findLast(({ amount }) => amount?.decimals);
    const text = row
      .filter(({ amount }) => amount === undefined)
      .map((cell) => cell.text)
      .join(' ');
    const names = row.filter((cell) => isLabel(cell) && daysIn(cell.text).length === 0);
    const [label, name] = names;
    if (label && name && figure === undefined && labels.employer.test(plain(label.text)))
      employer = name.text;
    const period = periodIn(text, false);
    if (figure?.amount === undefined || period === undefined) return [];
    if (daysIn(text).length === 1) return [];
    return [{ period, cents: figure.amount.cents, cell: figure, employer: label?.text ?? employer }];
  });
}

/** From the first to the last month of a statement of UWV, whatever its columns. */
export function coveredPeriod({ reading }: ReadPaper): { start: string; end: string } | undefined {
  const periods = monthsIn(reading.sheet).map(({ period }) => period);
  const start = periods.map((each) => each.start).toSorted()[0];
  const end = periods
    .map((each) => each.end)
    .toSorted()
    .at(-1);
  return start === undefined || end === undefined ? undefined : { start, end };
}

function insuredFinding(paper: ReadPaper, { gross, period }: Slip): Finding {
  const rows = monthsIn(paper.reading.sheet).filter(
    (each) => each.period.start === period.start && each.period.end === period.end,
  );
  if (rows.length === 0) return notApplicable;
  const isNear = ({ cents }: Month) =>
    cents >= gross * insuredShare.least && cents <= gross * insuredShare.most;
  const [row] = rows;
  if (row === undefined || rows.some(isNear)) return passed;
  return doubt(sign('insured_wage', { ...at(row.cell), found: euros(row.cents), expected: euros(gross) }));
}

/** Months between the first and the last one of an employer that have no row. */
function monthsFinding(paper: ReadPaper): Finding {
  const months = monthsIn(paper.reading.sheet).filter(({ period }) => period.kind === 'month');
  if (months.length === 0) return notApplicable;
  const jobs = Map.groupBy(months, ({ employer }) => employer);
  const gaps = [...jobs.values()].flatMap(missingMonths);
  return gaps.length === 0
    ? passed
    : doubt(sign('month_missing', { expected: gaps[0]?.slice(0, 7) ?? null }));
}

function missingMonths(months: readonly Month[]): string[] {
  const starts = [...new Set(months.map(({ period }) => period.start))].toSorted();
  const [first = '', last = ''] = [starts[0], starts.at(-1)];
  const wanted: string[] = [];
  for (let [year = 0, month = 0] = first.split('-').map(Number); ; month += 1) {
    const next = monthPeriod(year + Math.floor((month - 1) / 12), ((month - 1) % 12) + 1);
    if (next === undefined || next.start > last) break;
    wanted.push(next.start);
  }
  return wanted.filter((start) => !starts.includes(start));
}

/** A year's wage against that of a slip. Someone may have begun in the year or had a rise. */
const yearlyShare = { least: 0.4, most: 1.6 } as const;

function yearlyFinding(paper: ReadPaper, { yearly }: Slip): Finding {
  const isYearly = (text: string) => labels.annualSalary.test(text) || labels.annualWage.test(text);
  const { sheet } = paper.reading;
  const label = sheet.cells.find(({ text, amount }) => amount === undefined && isYearly(plain(text)));
  const cell =
    label &&
    (sheet.rows[label.row] ?? []).find(({ amount, box }) => amount !== undefined && box[0] > label.box[0]);
  if (cell?.amount === undefined) return notApplicable;
  const share = cell.amount.cents / yearly;
  if (share >= yearlyShare.least && share <= yearlyShare.most) return passed;
  return doubt(
    sign('yearly_wage', { ...at(cell), found: euros(cell.amount.cents), expected: euros(yearly) }),
  );
}
