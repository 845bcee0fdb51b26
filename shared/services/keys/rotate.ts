import type { Store } from '#store/connection.ts';
import { lockKey, replaceKey } from '#store/keys.ts';
import { scopeOfOperator } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { nextLine } from '../ledger/append.ts';
import { type IssuedKey, issueKey, type KeyChanger, theOperator } from './issue.ts';

/** The reason why a key gets no successor. Only a valid key that has no successor yet can be rotated. */
export type RotationRefusal = 'unknown' | 'revoked' | 'replaced' | 'expired';

export type Rotation = { refused: RotationRefusal } | { successor: IssuedKey; worksUntil: Date };

/**
 * Creates a key with the rights and the expiry of the old key. During the overlap both keys work. The old key ends after the
 * overlap, or at its own expiry if that is earlier.
 */
export const rotateKey = (
  store: Store,
  id: string,
  overlapMs: number,
  { actor, orgId }: KeyChanger = theOperator,
): Promise<Rotation> =>
  store.transaction(async (tx) => {
    const old = await lockKey(tx, id);
    if (old === undefined || old.orgId !== (orgId ?? old.orgId)) return { refused: 'unknown' };
    if (old.revokedAt !== null) return { refused: 'revoked' };
    if (old.replacedBy !== null) return { refused: 'replaced' };
    if (old.expiresAt !== null && old.expiresAt <= old.now) return { refused: 'expired' };
    const { orgId: organisationId, environment, grants, name, rateLimit, expiresAt } = old;
    const properties = { organisationId, environment, grants, name, rateLimit, expiresAt };
    const { issued: successor, writes } = issueKey(tx, properties, actor, old.now);
    const overlapEnds = old.now.getTime() + overlapMs;
    const worksUntil = new Date(Math.min(overlapEnds, old.expiresAt?.getTime() ?? overlapEnds));
    const line = await nextLine(tx, scopeOfOperator(old), {
      subjectId: id,
      type: 'key.replaced',
      actor,
      data: { replaced_by: successor.id, works_until: worksUntil.toISOString() },
      at: old.now,
    });
    const replaced = replaceKey(tx, id, { replacedBy: successor.id, expiresAt: worksUntil });
    await writeAtOnce(tx, [...writes, replaced, ...line]);
    return { successor, worksUntil };
  });
