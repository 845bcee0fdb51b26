import type { Store } from '#store/connection.ts';
import { lockKey, replaceKey } from '#store/keys.ts';
import { type IssuedKey, issueKey } from './issue.ts';

/** The reason why a key gets no successor. Only a valid key that has no successor yet can be rotated. */
export type RotationRefusal = 'unknown' | 'revoked' | 'replaced' | 'expired';

export type Rotation = { refused: RotationRefusal } | { successor: IssuedKey; worksUntil: Date };

/**
 * Creates a key with the rights and the expiry of the old key. During the overlap both keys work. The old key ends after the
 * overlap, or at its own expiry if that is earlier.
 */
export const rotateKey = (store: Store, id: string, overlapMs: number): Promise<Rotation> =>
  store.transaction(async (tx) => {
    const old = await lockKey(tx, id);
    if (old === undefined) return { refused: 'unknown' };
    if (old.revokedAt !== null) return { refused: 'revoked' };
    if (old.replacedBy !== null) return { refused: 'replaced' };
    if (old.expiresAt !== null && old.expiresAt <= old.now) return { refused: 'expired' };
    const successor = await issueKey(tx, {
      organisationId: old.orgId,
      environment: old.environment,
      grants: old.grants,
      name: old.name,
      rateLimit: old.rateLimit,
      expiresAt: old.expiresAt,
    });
    const overlapEnds = old.now.getTime() + overlapMs;
    const worksUntil = new Date(Math.min(overlapEnds, old.expiresAt?.getTime() ?? overlapEnds));
    await replaceKey(tx, id, { replacedBy: successor.id, expiresAt: worksUntil });
    return { successor, worksUntil };
  });
