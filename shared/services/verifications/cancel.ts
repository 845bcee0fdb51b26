import { Problem } from '#contract/errors.ts';
import type { Db } from '#store/database/connection.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { assertMay, type Caller } from '../caller.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type ById, type ChangeContext, changeCase, type Ordered, type Which } from './change.ts';

/**
 * Cancels an open verification (decision 43). Its link shows that it was cancelled, its run ends, and its status stays. A fresh link
 * revives it. A repetition changes nothing.
 */
export const cancelVerification = (ctx: ChangeContext, caller: Caller, { id }: ById): Promise<GivenAnswer> =>
  cancelCase(ctx, caller, { id, resource: 'verification' });

export async function cancelCase(ctx: ChangeContext, caller: Caller, which: Which): Promise<GivenAnswer> {
  assertMay(caller, 'verifications.change');
  return changeCase(ctx, caller, { operation: 'cancel_verification', ...which }, (tx, ordered) =>
    cancel({ tx }, caller, ordered),
  );
}

/** Throws `already_completed`, or `already_submitted` after the end user has sent everything. */
export async function cancel({ tx }: { tx: Db }, caller: Caller, { id, requestId }: Ordered): Promise<void> {
  assertMay(caller, 'verifications.change');
  const { actor, scope } = caller;
  const verifications = verificationsOf(scope, tx);
  const verification = await verifications.lock(id);
  if (verification === undefined) throw new Problem('verification_not_found');
  const { status, submittedAt, cancelledAt, now: at } = verification;
  if (status === 'completed') throw new Problem('already_completed');
  if (cancelledAt !== null) return;
  if (submittedAt !== null) throw new Problem('already_submitted');
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'verification.cancelled', actor, data: { request_id: requestId }, at },
  });
  await writeAtOnce(tx, [verifications.cancel(id, { at, withdrawn: false }), ...line]);
}
