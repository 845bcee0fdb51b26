import type { Slip } from './payroll.ts';
import { fullName } from './people.ts';
import type { Box } from './write.ts';

export const paperTypes = ['payslip', 'uwv_statement', 'annual_statement', 'employer_statement'] as const;
export type PaperType = (typeof paperTypes)[number];

/** The checks by which a fault can be found. */
export const checkKinds = [
  ...['file_integrity', 'revision_history', 'digital_signature', 'content_complete', 'arithmetic', 'period'],
  ...['legal_minimum', 'bank_account', 'name_match', 'duplicate', 'citizen_service_number'],
] as const;
export type CheckKind = (typeof checkKinds)[number] & string;

/** What a paper says if it is read rightly. Amounts are cents. */
export type Truth = {
  type: PaperType;
  employer: string;
  person: string;
  bsn?: string;
  iban?: string;
  issuedOn?: string;
  periodStart?: string;
  periodEnd?: string;
  grossCents?: number;
  netCents?: number;
  grossYearCents?: number;
  netYearCents?: number;
  hourlyCents?: number;
  hoursPerWeek?: number;
};

export type Paper = { name: string; bytes: Buffer; truth: Truth };

/**
 * A planted fault. `alarm`: one of the checks must fail. `doubt`: one of them must fail or doubt. `nothing`: it is no fault, and none of
 * them may fail.
 */
export type Planted = {
  kind: string;
  paper: number;
  weight: 'alarm' | 'doubt' | 'nothing';
  by: readonly string[];
  place?: { page: number; box: Box };
  found?: string;
  expected?: string;
};

/** The papers of one income check, and what the judge is told about it. */
export type Case = {
  name: string;
  today: string;
  linkedName: string | null;
  papers: Paper[];
  /** SHA-256 of files that came with earlier checks. */
  known: string[];
  /** Certificates (DER) of the trusted authorities. */
  anchors: Buffer[];
  planted: Planted[];
};

export function truthOf({ employment, period, totals, paidOn }: Slip): Truth {
  const { employer, employee, hourlyCents, hoursPerWeek } = employment;
  return {
    ...{ type: 'payslip', employer: employer.name, person: fullName(employee) },
    ...{
      bsn: employee.bsn,
      iban: employee.iban,
      issuedOn: paidOn,
      periodStart: period.start,
      periodEnd: period.end,
    },
    ...{ grossCents: totals.gross.cents, netCents: totals.net.cents },
    ...{
      grossYearCents: totals.gross.yearCents,
      netYearCents: totals.net.yearCents,
      hourlyCents,
      hoursPerWeek,
    },
  };
}
