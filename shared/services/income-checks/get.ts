import type { IncomeCheck } from '#contract/income/check.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { evenIfLost, type LostContext } from '../runs/even-if-lost.ts';
import { requireIncomeCheck } from '../verifications/get.ts';
import { readIncomeView } from '../views/income-view.ts';

/** Returns one income check. An id of another organisation or environment counts as unknown, and so does that of a verification. */
export async function getIncomeCheck(
  ctx: LostContext & Pick<Context, 'secrets' | 'publicUrl'>,
  caller: Caller,
  { id }: { id: string },
): Promise<IncomeCheck> {
  assertMay(caller, 'verifications.see');
  const { scope } = caller;
  const row = await evenIfLost(ctx, scope, id, () => requireIncomeCheck(ctx, scope, id));
  return readIncomeView(ctx, caller, row);
}
