import type { Confirmed, EidResult } from '#contract/eid.ts';
import type { MadeCheck } from '#contract/examinations.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { version } from '#platform/version.ts';
import { awaitsEvidence } from '#policy/flow.ts';
import { evidenceEndsAt } from '#policy/retention.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { eidTransactionsOf } from '#store/verifications/eid-transactions.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { examinationsOf } from '#store/verifications/examinations.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../../context.ts';
import { nextLine, personalValues } from '../../ledger/append.ts';
import { evidenceBinding, requireDataKey } from '../../personal/data-key.ts';
import type { DueAsk } from './visits.ts';

type ResultContext = Pick<Context, 'store' | 'secrets'>;

/**
 * Records how a visit ended, once: the status of the visit decides, under the lock on the verification. A confirmation is what Send is for
 * pictures. It needs nothing more of the person, and stores the check from which the verdict is computed.
 */
export const recordResult = (
  ctx: ResultContext,
  { verificationId: id, ...ref }: VerificationRef,
  { visitId, simulated, transaction }: Pick<DueAsk, 'visitId' | 'simulated' | 'transaction'>,
  result: EidResult | { status: 'unanswered' },
): Promise<void> =>
  ctx.store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(id);
    const visits = eidTransactionsOf(scope, tx, id);
    const visit = await visits.find(visitId);
    if (verification === undefined || visit?.status !== 'open') return;
    const { status } = result;
    if (status === 'open' || status === 'pending') return;
    const isUsed = status === 'success' && awaitsEvidence(verification);
    const end = status === 'success' && !isUsed ? 'unused' : status;
    await visits.change(visitId, 'open', { status: end, redirect: null });
    if (isUsed) await submit(ctx, { tx, scope, verification }, { simulated, transaction, confirmed: result });
  });

type Place = { tx: Db; scope: OrgScope; verification: LockedVerification };
type Answered = Pick<DueAsk, 'simulated' | 'transaction'> & { confirmed: Confirmed };

/**
 * The ledger has who confirmed and the hash of the answer. Names and dates are beside it, sealed, and go with the person. So does the
 * acquirer's name of the transaction, because a bank finds the person by it.
 */
async function submit(
  ctx: ResultContext,
  { tx, scope, verification: { id, now: at } }: Place,
  { simulated, transaction, confirmed }: Answered,
): Promise<void> {
  const { attributes, subject, issuerId, level, complete, evidence } = confirmed;
  const key = await requireDataKey(ctx, tx, scope, id);
  await evidenceOf(scope, tx, id).keep({
    ...{ kind: 'bank', source: null, sha256: evidence.sha256 },
    picture: key.seal(evidenceBinding(id, 'bank'), evidence.answer),
    expiresAt: evidenceEndsAt(at, await settingsOf(scope, tx).evidenceDays()),
  });
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'verification.submitted', actor: { kind: 'person' }, at },
    data: {
      evidence: [{ kind: 'bank', source: null, sha256: evidence.sha256.toString('hex') }],
      eid: { issuer: issuerId, level, complete, simulated },
    },
    personal: personalValues(key, { attributes, subject, transaction_id: transaction.transactionId }),
  });
  await writeAtOnce(tx, [verificationsOf(scope, tx).submit(id, at), ...line]);
  // In sandbox the scenario decides, so nothing is examined.
  if (scope.environment === 'live') await examinationsOf(scope, tx, id).add([checkOf(confirmed, simulated)]);
}

/** Decision 12: a bank that confirmed less than was asked for leaves a doubt, which a person settles. */
const checkOf = ({ complete }: Confirmed, simulated: boolean): MadeCheck => ({
  kind: 'eid_authentication',
  ...(complete ? { result: 'passed', confidence: 1 } : { result: 'doubt', confidence: 0.5 }),
  ...{ engine: { name: 'eid', version }, threshold: null },
  finding: simulated ? 'bank_simulated' : null,
});
