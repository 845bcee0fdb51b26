import {
  at,
  doubt,
  type Finding,
  failed,
  notApplicable,
  passed,
  type ReadPaper,
  sign,
  together,
} from './finding.ts';
import { paperAgeDaysMax } from './law.ts';
import { addDays, daysBetween } from './values/dates.ts';
import type { Reading } from './values/reading.ts';
import type { Sheet } from './values/sheet.ts';

/** An employer can pay this many days before a period ends, and this many after. */
const paidDaysAfterMax = 75;
const paidDaysBeforeMax = 31;
/** Annual statements are of the last year or the one before. */
const annualYearsMax = 2;

export function periodFinding({ facts, reading }: ReadPaper, today: string): Finding {
  if (reading.type === 'annual_statement') return annual(reading, today);
  if (reading.type === 'payslip') return slip(reading, facts.made.createdAt?.slice(0, 10) ?? null, today);
  const day = reading.issuedOn?.value ?? null;
  if (day === null) return doubt(sign('date_not_found'));
  return together([passed, ...ages(day, reading.issuedOn?.cell, today)]);
}

type Place = { page: number; box: [number, number, number, number] } | undefined;

function ages(day: string, cell: Place, today: string): Finding[] {
  const where = { ...(cell && at(cell)), found: day };
  if (daysBetween(day, today) > paperAgeDaysMax) return [failed(sign('too_old', where))];
  return daysBetween(today, day) > 1 ? [failed(sign('in_the_future', where))] : [];
}

function slip({ period, periods, issuedOn }: Reading, createdOn: string | null, today: string): Finding {
  if (period === null) return doubt(sign('period_not_found'));
  const { start, end } = period.value;
  const where = { ...at(period.cell), found: `${start} / ${end}` };
  if (end < start) return failed(sign('period_reversed', where));
  const other = periods.find(({ value }) => value.start > end || value.end < start);
  const made = [issuedOn?.value ?? null, createdOn].filter((day) => day !== null);
  const isOdd = (day: string) =>
    day < addDays(start, -paidDaysBeforeMax) || daysBetween(end, day) > paidDaysAfterMax;
  const odd = made.find(isOdd);
  return together([
    passed,
    ...(start > today ? [failed(sign('in_the_future', where))] : []),
    ...(daysBetween(end, today) > paperAgeDaysMax ? [failed(sign('too_old', where))] : []),
    other === undefined
      ? notApplicable
      : doubt(sign('periods_differ', { ...where, expected: `${other.value.start} / ${other.value.end}` })),
    odd === undefined ? notApplicable : doubt(sign('paid_far_from_period', { ...where, expected: odd })),
  ]);
}

/** Years that stand alone, in the order of the paper. The first is that of the title. */
export const yearsIn = ({ text }: Sheet): number[] =>
  [...text.matchAll(/(?<![\d.,-])(20\d\d)(?![\d.,-])/g)].map(([, year]) => Number(year));

function annual({ sheet }: Reading, today: string): Finding {
  const [year] = yearsIn(sheet);
  if (year === undefined) return doubt(sign('year_not_found'));
  const age = Number(today.slice(0, 4)) - year;
  if (age < 0) return failed(sign('in_the_future', { found: String(year) }));
  return age > annualYearsMax ? failed(sign('too_old', { found: String(year) })) : passed;
}
