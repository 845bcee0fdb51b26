import type { IncomeCheck } from '#contract/income/check.ts';
import type { CompleteVerification } from '#contract/verification.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type CompleteContext, completeCase } from '../verifications/complete.ts';
import { requireIncomeCheck } from '../verifications/get.ts';
import { incomeCheckView } from '../views/income-view.ts';

/** Completes an open income check of sandbox, by the rules of a verification. */
export async function completeIncomeCheck(
  ctx: CompleteContext & Pick<Context, 'secrets' | 'publicUrl'>,
  caller: Caller,
  wanted: CompleteVerification & { id: string },
): Promise<IncomeCheck> {
  await completeCase(ctx, caller, { ...wanted, resource: 'income_check' });
  return incomeCheckView(ctx, await requireIncomeCheck(ctx, caller.scope, wanted.id));
}
