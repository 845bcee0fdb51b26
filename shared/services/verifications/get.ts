import { Problem } from '#contract/errors.ts';
import type { Verification } from '#contract/verification.ts';
import type { Db } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import { type VerificationRow, verificationsOf } from '#store/verifications.ts';
import type { CallerContext } from '../context.ts';
import { evenIfLost, type LostContext } from './even-if-lost.ts';
import { readView } from './view.ts';

/** Returns one verification (specification 4.1). An id of another organisation or environment counts as unknown (decision 14). */
export const getVerification = async (ctx: CallerContext, { id }: { id: string }): Promise<Verification> =>
  readView(ctx, await requireRecorded(ctx, id));

/** As `requireVerification`, but outside a transaction, and also if an older database has lost the row. */
export const requireRecorded = (
  ctx: LostContext & { scope: OrgScope },
  id: string,
): Promise<VerificationRow> => evenIfLost(ctx, id, () => requireVerification(ctx, id));

/** In a transaction, `db` is that of the transaction. */
export async function requireVerification(
  { scope, store, db = store.db }: Pick<CallerContext, 'scope' | 'store'> & { db?: Db },
  id: string,
): Promise<VerificationRow> {
  const row = await verificationsOf(scope, db).find(id);
  if (row === undefined) throw new Problem('verification_not_found');
  return row;
}
