import type { CreateIncomeCheck } from '#contract/income/check.ts';
import type { CreateVerification } from '#contract/verification.ts';

/** What a claimed create asks for, as its row stores it. An income check has the method `income`. */
export type StoredCreate = CreateVerification | IncomeCreate;
export type IncomeCreate = Omit<CreateIncomeCheck, 'documents'> & {
  method: 'income';
  /** How many documents came with the request. The row has none of them. */
  papers?: number;
};

export const bringsPapers = (input: StoredCreate): boolean =>
  input.method === 'income' && input.papers !== undefined;
