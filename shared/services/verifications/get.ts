import { Problem } from '#contract/errors.ts';
import type { Verification } from '#contract/verification.ts';
import { type VerificationRow, verificationsOf } from '#store/verifications.ts';
import type { CallerContext } from '../context.ts';
import { verificationView } from './view.ts';

/** Returns one verification (specification 4.1). An id of another organisation or environment counts as unknown (decision 14). */
export const getVerification = async (ctx: CallerContext, { id }: { id: string }): Promise<Verification> =>
  verificationView(ctx, await requireVerification(ctx, id));

export async function requireVerification(ctx: CallerContext, id: string): Promise<VerificationRow> {
  const row = await verificationsOf(ctx.scope, ctx.store.db).find(id);
  if (row === undefined) throw new Problem('verification_not_found');
  return row;
}
