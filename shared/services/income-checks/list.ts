import type { IncomeCheckList } from '#contract/income/check.ts';
import type { ListQuery } from '#contract/list.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../portions/page.ts';
import { readIncomeView } from '../views/income-view.ts';

/** Lists the income checks of the caller's organisation and environment. */
export async function listIncomeChecks(
  ctx: Pick<Context, 'store' | 'secrets' | 'publicUrl'>,
  caller: Caller,
  query: ListQuery,
): Promise<IncomeCheckList> {
  assertMay(caller, 'verifications.see');
  const rows = incomeChecksOf(caller.scope, ctx.store.reads);
  return pageOf(rows, query, (row) => readIncomeView(ctx, caller, row));
}
