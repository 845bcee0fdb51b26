import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { reviewClaimsOf } from '#store/reviews/review-claims.ts';
import { reviewDecisionsOf } from '#store/reviews/review-decisions.ts';
import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { lockSubject } from './open.ts';
import { ReviewRefused } from './refused.ts';

/** A decision that can be taken back for `leftMs` milliseconds. `concludes`: no other member has to decide after it. */
export type Held = { leftMs: number; concludes: boolean };

/** The decision of the member about a verification, as long as it can be taken back. */
export async function heldFor(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id }: { id: string },
): Promise<Held | undefined> {
  assertMay(caller, 'queue.decide');
  const held = await heldDecision(store.db, caller.scope, memberIdOf(caller), id);
  return held && { leftMs: held.dueInMs, concludes: held.concludes };
}

/**
 * Takes the decision of this member back, before it is due. It then counts as never made, and the member has the verification again. A
 * line says that it was taken back, without its choice. Throws if it is too late.
 */
export async function takeBackDecision(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id: verificationId }: { id: string },
): Promise<void> {
  assertMay(caller, 'queue.decide');
  const { actor, scope } = caller;
  const memberId = memberIdOf(caller);
  await store.transaction(async (tx) => {
    const { at } = await lockSubject(tx, scope, verificationId);
    const held = await heldDecision(tx, scope, memberId, verificationId);
    if (held === undefined) throw new ReviewRefused('too_late');
    await writeAtOnce(tx, [reviewDecisionsOf(scope, tx, verificationId).takeBack(held.id)]);
    await reviewClaimsOf(scope, tx, verificationId).claim(memberId);
    const data = { decision_id: held.id };
    const line = { subjectId: verificationId, type: 'review.taken_back', actor, data, at } as const;
    await writeAtOnce(tx, await nextLine(tx, scope, line));
  });
}

/** The decision of the member that waits, unless somebody has decided after it: the number of that decision counts this one. */
async function heldDecision(db: Db, scope: OrgScope, memberId: string, verificationId: string) {
  const last = (await reviewDecisionsOf(scope, db, verificationId).decisions()).at(-1);
  return last?.memberId === memberId && last.recordedAt === null && last.dueInMs > 0 ? last : undefined;
}
