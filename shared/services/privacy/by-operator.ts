import { Problem } from '#contract/errors.ts';
import type { Db } from '#store/connection.ts';
import { type OrgScope, scopeOfOperator } from '#store/scope.ts';
import { findLinkOfAnyOrganisation } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { cancel } from '../verifications/cancel.ts';
import type { Ordered } from '../verifications/change.ts';
import { erase } from '../verifications/erase.ts';
import { requireCase } from '../verifications/get.ts';
import { verifyUrl } from '../verifications/link.ts';
import { replaceLink } from '../verifications/renew-link.ts';

/** The operator's commands reach the verifications of all organisations. */
export async function scopeForOperator(db: Db, id: string): Promise<OrgScope> {
  const found = await findLinkOfAnyOrganisation(db, id);
  if (found === undefined) throw new Problem('verification_not_found');
  return scopeOfOperator(found);
}

const ordered: Ordered = { actor: { kind: 'operator' }, requestId: null };

/** Cancels an open verification, as a partner's key can. */
export const cancelByOperator = async ({ store }: Pick<Context, 'store'>, id: string): Promise<void> =>
  store.transaction(async (tx) => cancel(tx, await scopeForOperator(tx, id), id, ordered));

/** Gives a verification a fresh link, as a partner's key can, and returns its address. */
export const renewLinkByOperator = async (
  ctx: Pick<Context, 'store' | 'secrets' | 'publicUrl'>,
  id: string,
): Promise<string> =>
  ctx.store.transaction(async (tx) => {
    const scope = await scopeForOperator(tx, id);
    await replaceLink(ctx, tx, scope, id, ordered);
    return verifyUrl(ctx, await requireCase({ ...ctx, db: tx }, scope, id));
  });

/** Erases a verification, whatever its organisation allows its keys. Returns false if it was erased before. */
export const eraseByOperator = async ({ store }: Pick<Context, 'store'>, id: string): Promise<boolean> =>
  store.transaction(async (tx) => erase(tx, await scopeForOperator(tx, id), id, ordered));
