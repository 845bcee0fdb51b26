import type { JudgedDocument, Result } from '#contract/income/papers.ts';
import type { Paper, ReadPaper } from './finding.ts';
import { yearsIn } from './period.ts';
import { coveredPeriod } from './statements.ts';
import type { Settled } from './sums.ts';
import { yearlyWage } from './yearly.ts';

export function documentOf({ id, facts }: Paper, read: ReadPaper | undefined): JudgedDocument {
  const period = read && periodOf(read);
  return {
    id,
    type: read?.reading.type ?? null,
    pages: facts.readable ? facts.pages.length : null,
    issuedOn: read?.reading.issuedOn?.value ?? null,
    periodStart: period?.start ?? null,
    periodEnd: period?.end ?? null,
  };
}

/** A statement of UWV covers its months, and an annual statement its year. */
function periodOf(paper: ReadPaper): { start: string; end: string } | undefined {
  const { type, period, sheet } = paper.reading;
  if (type === 'uwv_statement') return coveredPeriod(paper) ?? period?.value;
  if (type !== 'annual_statement' || period !== null) return period?.value;
  const [year] = yearsIn(sheet);
  return year === undefined ? undefined : { start: `${year}-01-01`, end: `${year}-12-31` };
}

/** The income that the latest slip tells. Null without a slip. */
export function resultOf(read: readonly ReadPaper[], settled: ReadonlyMap<string, Settled>): Result | null {
  const slips = read.filter(({ reading }) => reading.type === 'payslip');
  const latest = slips.toSorted((one, other) => endOf(other).localeCompare(endOf(one)))[0];
  if (latest === undefined) return null;
  const { reading, id } = latest;
  const gross = settled.get(id)?.gross?.cents ?? null;
  return {
    currency: 'EUR',
    employerName: reading.employer?.value ?? null,
    periodStart: reading.period?.value.start ?? null,
    periodEnd: reading.period?.value.end ?? null,
    grossCents: gross,
    netCents: settled.get(id)?.net?.cents ?? null,
    annualGrossEstimateCents:
      gross === null || reading.frequency === null
        ? null
        : yearlyWage(gross, settled.get(id)?.earned ?? [], reading.frequency),
    payFrequency: reading.frequency,
  };
}

const endOf = ({ reading }: ReadPaper) => reading.period?.value.end ?? '';
