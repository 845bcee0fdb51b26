import { IncomeCheck } from '#contract/income/check.ts';
import { Verification } from '#contract/verification.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import type { Context } from '../context.ts';
import { incomeCheckView } from '../views/income-view.ts';
import { verificationView } from '../views/view.ts';
import { requireCase, requireIncomeCheck, requireVerification } from './get.ts';

type AnswerContext = Pick<Context, 'store' | 'secrets' | 'publicUrl'> & { db?: Db };

/** What partners read of a verification or an income check, as it is now. */
export async function answerAbout(
  ctx: AnswerContext,
  scope: OrgScope,
  id: string,
): Promise<Verification | IncomeCheck> {
  const { method } = await requireCase(ctx, scope, id);
  return verificationMethods[method].resource === 'income_check'
    ? IncomeCheck.parse(incomeCheckView(ctx, await requireIncomeCheck(ctx, scope, id)))
    : Verification.parse(verificationView(ctx, await requireVerification(ctx, scope, id)));
}
