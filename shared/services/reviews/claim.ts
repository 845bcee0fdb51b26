import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { reviewClaimsOf } from '#store/reviews/review-claims.ts';
import { reviewDecisionsOf } from '#store/reviews/review-decisions.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Actor, type Entry, nextLine } from '../ledger/append.ts';
import { requireIndependent } from './independent.ts';
import { lockSubject, requireOpen } from './open.ts';
import { ReviewRefused } from './refused.ts';

/**
 * Gives a verification of the queue to one member for `limits.reviewClaimMinutes`. The member who has it extends it. After that time
 * another member can take it.
 */
export async function claimReview(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id: verificationId }: { id: string },
): Promise<{ expiresAt: Date }> {
  assertMay(caller, 'queue.decide');
  const { actor, scope } = caller;
  const member = memberIdOf(caller);
  // Before anybody works in vain. The decision asks again.
  const earlier = await reviewDecisionsOf(scope, store.db, verificationId).decisions();
  await requireIndependent(
    store.db,
    scope,
    member,
    earlier.filter(({ memberId }) => memberId !== member),
  );
  const claim = await store.transaction(async (tx) => {
    const at = (await verificationsOf(scope, tx).lock(verificationId))?.now;
    const claimed = await reviewClaimsOf(scope, tx, verificationId).claim(member);
    if (at === undefined || claimed === undefined) return undefined;
    if (claimed.isNew) await note(tx, scope, { type: 'review.claimed', verificationId, actor, at });
    return claimed;
  });
  if (claim !== undefined) return claim;
  // The claim alone decides. This only finds out what to say.
  return store.transaction(async (tx) => {
    const { decisions } = await requireOpen(tx, scope, await lockSubject(tx, scope, verificationId));
    throw new ReviewRefused(
      decisions.some(({ memberId }) => memberId === member) ? 'already_decided' : 'claimed_by_other',
    );
  });
}

/** Gives a verification back to the queue. Does nothing if the member does not have it. */
export async function releaseReview(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id: verificationId }: { id: string },
): Promise<void> {
  assertMay(caller, 'queue.decide');
  const { actor, scope } = caller;
  await store.transaction(async (tx) => {
    const at = (await verificationsOf(scope, tx).lock(verificationId))?.now;
    const isReleased = await reviewClaimsOf(scope, tx, verificationId).release(memberIdOf(caller));
    if (at !== undefined && isReleased)
      await note(tx, scope, { type: 'review.released', verificationId, actor, at });
  });
}

type Noted = { type: Entry['type']; verificationId: string; actor: Actor; at: Date };

/** The caller holds the lock on the verification. */
const note = async (tx: Db, scope: OrgScope, { type, verificationId, actor, at }: Noted): Promise<void> =>
  writeAtOnce(
    tx,
    await nextLine(tx, scope, {
      ...{ subjectId: verificationId, type, actor, data: {}, at },
    }),
  );
