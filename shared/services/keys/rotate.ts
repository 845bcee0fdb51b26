import { writeAtOnce } from '#store/database/statements.ts';
import { lockKey, replaceKey } from '#store/organisations/keys.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { type IssuedKey, issueKey } from './issue.ts';

/** The reason why a key gets no successor. Only a valid key that has no successor yet can be rotated. */
export type RotationRefusal = 'unknown' | 'revoked' | 'replaced' | 'expired';

export type Rotation = { refused: RotationRefusal } | { successor: IssuedKey; worksUntil: Date };

/**
 * Creates a key with the rights and the expiry of the old key. During the overlap both keys work. The old key ends after the
 * overlap, or at its own expiry if that is earlier.
 */
export async function rotateKey(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id, overlapMs }: { id: string; overlapMs: number },
): Promise<Rotation> {
  assertMay(caller, 'keys.change');
  const { scope, actor } = caller;
  return store.transaction(async (tx) => {
    const old = await lockKey(scope, tx, id);
    if (old === undefined) return { refused: 'unknown' };
    if (old.revokedAt !== null) return { refused: 'revoked' };
    if (old.replacedBy !== null) return { refused: 'replaced' };
    if (old.expiresAt !== null && old.expiresAt <= old.now) return { refused: 'expired' };
    const { environment, grants, name, rateLimit, expiresAt, now: at } = old;
    const properties = { environment, grants, name, rateLimit, expiresAt };
    const { issued: successor, writes } = issueKey(tx, scope, properties, { actor, at });
    const overlapEnds = at.getTime() + overlapMs;
    const worksUntil = new Date(Math.min(overlapEnds, expiresAt?.getTime() ?? overlapEnds));
    const line = await nextLine(tx, scope, {
      subjectId: id,
      type: 'key.replaced',
      actor,
      data: { replaced_by: successor.id, works_until: worksUntil.toISOString() },
      at,
    });
    const replaced = replaceKey(tx, id, { replacedBy: successor.id, expiresAt: worksUntil });
    await writeAtOnce(tx, [...writes, replaced, ...line]);
    return { successor, worksUntil };
  });
}
