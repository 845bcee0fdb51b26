import type { IncomeCheck } from '#contract/income-check.ts';
import type { CallerContext } from '../context.ts';
import { evenIfLost } from '../verifications/even-if-lost.ts';
import { requireIncomeCheck } from '../verifications/get.ts';
import { readIncomeView } from '../verifications/income-view.ts';

/** Returns one income check. An id of another organisation or environment counts as unknown, and so does that of a verification. */
export const getIncomeCheck = async (ctx: CallerContext, { id }: { id: string }): Promise<IncomeCheck> =>
  readIncomeView(ctx, await evenIfLost(ctx, id, () => requireIncomeCheck(ctx, id)));
