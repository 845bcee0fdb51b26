import { writeAtOnce } from '#store/database/statements.ts';
import { reviewsOf } from '#store/reviews/reviews.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { lockSubject } from './open.ts';
import { ReviewRefused } from './refused.ts';

/**
 * Puts a verification that a machine rejected into the queue, because the end user asked for a person (decision 44). The verdict stays
 * until somebody decides. A repetition changes nothing.
 */
export async function reopenForReview(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { id: verificationId }: { id: string },
): Promise<void> {
  assertMay(caller, 'queue.decide');
  const { actor, scope } = caller;
  await store.transaction(async (tx) => {
    const { verdict, erasedAt, isInQueue, at } = await lockSubject(tx, scope, verificationId);
    if (erasedAt !== null) throw new ReviewRefused('erased');
    if (verdict?.reviewed) throw new ReviewRefused('already_reviewed');
    if (isInQueue) return;
    if (verdict?.outcome !== 'rejected') throw new ReviewRefused('not_rejected');
    const line = await nextLine(tx, scope, {
      ...{ subjectId: verificationId, type: 'verification.reopened', actor, data: {}, at },
    });
    await writeAtOnce(tx, [reviewsOf(scope, tx, verificationId).reopen(at), ...line]);
  });
}
