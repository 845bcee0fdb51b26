import { reviewClaimsOf } from '#store/review-claims.ts';
import type { Member, ReviewContext } from './context.ts';
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
  const claim = await reviewClaimsOf(scope, store.db, verificationId).claim(member.id);
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
export async function releaseReview(
  { store, scope }: ReviewContext,
  member: Member,
  verificationId: string,
): Promise<void> {
  await reviewClaimsOf(scope, store.db, verificationId).release(member.id);
}
