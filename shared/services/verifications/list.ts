import type { ListQuery } from '#contract/list.ts';
import type { VerificationList } from '#contract/verification.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { pageOf } from '../portions/page.ts';
import { readView } from '../views/view.ts';
import { findVerification } from './get.ts';

/** Lists the verifications of the caller's organisation and environment (specification 4.1). */
export async function listVerifications(
  ctx: Pick<Context, 'store' | 'secrets' | 'publicUrl'>,
  caller: Caller,
  query: ListQuery,
): Promise<VerificationList> {
  assertMay(caller, 'verifications.see');
  return pageOf(listedVerifications(ctx, caller.scope), query, (row) => readView(ctx, caller, row));
}

/** What the lists of verifications read. An income check is no row of them. */
export const listedVerifications = (ctx: Pick<Context, 'store'>, scope: OrgScope) => {
  const { newest } = verificationsOf(scope, ctx.store.reads);
  return { newest, find: (id: string) => findVerification(ctx, scope, id) };
};
