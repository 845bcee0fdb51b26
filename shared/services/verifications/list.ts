import type { ListQuery } from '#contract/list.ts';
import type { VerificationList } from '#contract/verification.ts';
import { verificationsOf } from '#store/verifications.ts';
import type { CallerContext } from '../context.ts';
import { pageOf } from '../lists/page.ts';
import { findVerification } from './get.ts';
import { readView } from './view.ts';

/** Lists the verifications of the key's organisation and environment (specification 4.1). */
export const listVerifications = (ctx: CallerContext, query: ListQuery): Promise<VerificationList> =>
  pageOf(listedVerifications(ctx), query, (row) => readView(ctx, row));

/** What the lists of verifications read. An income check is no row of them. */
export const listedVerifications = (ctx: Pick<CallerContext, 'scope' | 'store'>) => {
  const { newest } = verificationsOf(ctx.scope, ctx.store.reads);
  return { newest, find: (id: string) => findVerification(ctx, id) };
};
