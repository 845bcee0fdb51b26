import type { ListQuery } from '#contract/list.ts';
import type { VerificationList } from '#contract/verification.ts';
import { verificationsOf } from '#store/verifications.ts';
import type { CallerContext } from '../context.ts';
import { pageOf } from '../lists/page.ts';
import { readView } from './view.ts';

/** Lists the verifications of the key's organisation and environment (specification 4.1). */
export const listVerifications = (ctx: CallerContext, query: ListQuery): Promise<VerificationList> =>
  pageOf(verificationsOf(ctx.scope, ctx.store.db), query, (row) => readView(ctx, row));
