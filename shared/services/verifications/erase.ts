import { Problem } from '#contract/errors.ts';
import type { Db } from '#store/database/connection.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { ledgerOf } from '#store/ledger.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { requestsOf } from '#store/requests.ts';
import { reviewClaimsOf } from '#store/reviews/review-claims.ts';
import { reviewNotesOf } from '#store/reviews/review-decisions.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import { dataKeysOf } from '#store/verifications/data-keys.ts';
import { eidTransactionsOf } from '#store/verifications/eid-transactions.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { incomeHashesOf } from '#store/verifications/income-files.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { eventsOf } from '#store/webhooks/events.ts';
import { assertMay, type Caller } from '../caller.ts';
import { nextLine } from '../ledger/append.ts';
import type { GivenAnswer } from '../requests/answer.ts';
import { type ById, type ChangeContext, changeCase, type Ordered, type Which } from './change.ts';

/**
 * Erases what is stored of the person of a verification, at any time (decision 43). Verdict, checks and the lines of the ledger stay. An
 * open verification is cancelled, without an event. A repetition changes nothing.
 */
export const eraseVerification = (ctx: ChangeContext, caller: Caller, { id }: ById): Promise<GivenAnswer> =>
  eraseCase(ctx, caller, { id, resource: 'verification' });

export async function eraseCase(ctx: ChangeContext, caller: Caller, which: Which): Promise<GivenAnswer> {
  assertMay(caller, 'verifications.erase');
  return changeCase(ctx, caller, { operation: 'erase_verification', ...which }, (tx, ordered) =>
    erase({ tx }, caller, ordered),
  );
}

/** Returns false if the verification was erased before. In live, the organisation decides whether its keys may erase. */
export async function erase(
  { tx }: { tx: Db },
  caller: Caller,
  { id, requestId }: Ordered,
): Promise<boolean> {
  assertMay(caller, 'verifications.erase');
  const { actor, scope } = caller;
  if (actor.kind === 'key' && scope.environment === 'live' && !(await settingsOf(scope, tx).mayEraseByKey()))
    throw new Problem('not_allowed');
  const verifications = verificationsOf(scope, tx);
  const verification = await verifications.lock(id);
  if (verification === undefined) throw new Problem('verification_not_found');
  if (verification.erasedAt !== null) return false;
  const { status, cancelledAt, now: at } = verification;
  const kinds = await evidenceOf(scope, tx, id).removeAll();
  const bodies = await eventsOf(scope, tx).eraseReference(id);
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'verification.erased', actor, at },
    data: { request_id: requestId, kinds, event_bodies: bodies },
  });
  await writeAtOnce(tx, [
    verifications.erase(id, { at, cancelledAt: status === 'completed' ? cancelledAt : (cancelledAt ?? at) }),
    dataKeysOf(scope, tx).destroy(id),
    ledgerOf(scope, tx).erasePersonal(id),
    requestsOf(scope, tx).eraseAnswersAbout(id),
    commandsOf(scope, tx, id).removeAll(),
    eidTransactionsOf(scope, tx, id).removeAll(),
    reviewClaimsOf(scope, tx, id).end(),
    reviewNotesOf(scope, tx, id).erase(),
    incomeChecksOf(scope, tx).keepJudgement(id, null),
    incomeHashesOf(scope, tx, id).forget(),
    ...line,
  ]);
  return true;
}
