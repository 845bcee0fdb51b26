import type { IncomeCheck } from '#contract/income-check.ts';
import type { CompleteVerification } from '#contract/verification.ts';
import type { CallerContext } from '../context.ts';
import { completeCase } from '../verifications/complete.ts';
import { requireIncomeCheck } from '../verifications/get.ts';
import { incomeCheckView } from '../verifications/income-view.ts';

/** Completes an open income check of sandbox, by the rules of a verification. */
export async function completeIncomeCheck(
  ctx: CallerContext,
  wanted: CompleteVerification & { id: string },
): Promise<IncomeCheck> {
  await completeCase(ctx, 'income_check', wanted);
  return incomeCheckView(ctx, await requireIncomeCheck(ctx, wanted.id));
}
