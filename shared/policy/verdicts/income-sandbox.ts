import type { IncomeCheckKind, IncomeDocumentType } from '#contract/enums.ts';
import type { IncomeResult } from '#contract/income/check.ts';

/** What every completed income check of sandbox says: always the same, whatever was handed in, since sandbox reads nothing. */
export const sandboxIncome: IncomeResult = {
  currency: 'EUR',
  employer_name: 'Voorbeeld B.V.',
  period_start: '2026-10-01',
  period_end: '2026-10-31',
  gross_cents: 345_000,
  net_cents: 271_450,
  annual_gross_estimate_cents: 4_471_200,
  pay_frequency: 'monthly',
};

/** The document of every completed income check of sandbox. It exists only in answers. */
export const sandboxDocument = {
  type: 'payslip' satisfies IncomeDocumentType,
  pages: 1,
  issued_on: '2026-10-25',
  period_start: '2026-10-01',
  period_end: '2026-10-31',
} as const;

/** These checks are about all documents together. */
export const aboutAll: readonly IncomeCheckKind[] = ['name_match'];
