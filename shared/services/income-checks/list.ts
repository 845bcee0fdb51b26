import type { IncomeCheckList } from '#contract/income-check.ts';
import type { ListQuery } from '#contract/list.ts';
import { incomeChecksOf } from '#store/income-checks.ts';
import type { CallerContext } from '../context.ts';
import { pageOf } from '../lists/page.ts';
import { readIncomeView } from '../verifications/income-view.ts';

/** Lists the income checks of the key's organisation and environment. */
export const listIncomeChecks = (ctx: CallerContext, query: ListQuery): Promise<IncomeCheckList> =>
  pageOf(incomeChecksOf(ctx.scope, ctx.store.reads), query, (row) => readIncomeView(ctx, row));
