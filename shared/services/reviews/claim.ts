import type { Db } from '#store/connection.ts';
import { reviewClaimsOf } from '#store/review-claims.ts';
import { reviewsOf } from '#store/reviews.ts';
import type { OrgScope } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { verificationsOf } from '#store/verifications.ts';
import { type Entry, nextLine } from '../ledger/append.ts';
import type { Member, ReviewContext } from './context.ts';
import { requireIndependent } from './independent.ts';
import { lockSubject, requireOpen } from './open.ts';
import { ReviewRefused } from './refused.ts';

/**
 * Gives a verification of the queue to one member for `limits.reviewClaimMinutes`. The member who has it extends it. After that time
 * another member can take it.
 */
export async function claimReview(
  { store, scope }: ReviewContext,
  member: Member,
  verificationId: string,
): Promise<{ expiresAt: Date }> {
  // Before anybody works in vain. The decision asks again.
  const earlier = await reviewsOf(scope, store.db, verificationId).decisions();
  await requireIndependent(
    store.db,
    scope,
    member,
    earlier.filter(({ memberId }) => memberId !== member.id),
  );
  const claim = await store.transaction(async (tx) => {
    const at = (await verificationsOf(scope, tx).lock(verificationId))?.now;
    const claimed = await reviewClaimsOf(scope, tx, verificationId).claim(member.id);
    if (at === undefined || claimed === undefined) return undefined;
    if (claimed.isNew) await note(tx, scope, { type: 'review.claimed', verificationId, member, at });
    return claimed;
  });
  if (claim !== undefined) return claim;
  // The claim alone decides. This only finds out what to say.
  return store.transaction(async (tx) => {
    const { decisions } = await requireOpen(tx, scope, await lockSubject(tx, scope, verificationId));
    throw new ReviewRefused(
      decisions.some(({ memberId }) => memberId === member.id) ? 'already_decided' : 'claimed_by_other',
    );
  });
}

/** Gives a verification back to the queue. Does nothing if the member does not have it. */
export const releaseReview = (
  { store, scope }: ReviewContext,
  member: Member,
  verificationId: string,
): Promise<void> =>
  store.transaction(async (tx) => {
    const at = (await verificationsOf(scope, tx).lock(verificationId))?.now;
    const isReleased = await reviewClaimsOf(scope, tx, verificationId).release(member.id);
    if (at !== undefined && isReleased)
      await note(tx, scope, { type: 'review.released', verificationId, member, at });
  });

type Noted = { type: Entry['type']; verificationId: string; member: Member; at: Date };

/** The caller holds the lock on the verification. */
const note = async (tx: Db, scope: OrgScope, { type, verificationId, member, at }: Noted): Promise<void> =>
  writeAtOnce(
    tx,
    await nextLine(tx, scope, {
      ...{ subjectId: verificationId, type, actor: { kind: 'member', id: member.id }, data: {}, at },
    }),
  );
