import type { DecisionRule } from '#contract/enums.ts';
import type { MadeCheck } from '#contract/examinations.ts';
import type { Decision, Recorded, RecordVerdict, VerificationRef } from '#contract/workflows.ts';
import { awaitsEvidence } from '#policy/flow.ts';
import { examinersOf } from '#policy/methods/examiners.ts';
import { typesOfVerdict } from '#policy/resources.ts';
import { keptSince } from '#policy/retention.ts';
import { conclusive } from '#policy/verdicts/conclusive.ts';
import { decide } from '#policy/verdicts/decide.ts';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { reviewDecisionsOf } from '#store/reviews/review-decisions.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import { eidTransactionsOf } from '#store/verifications/eid-transactions.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { type Engine, examinationsOf } from '#store/verifications/examinations.ts';
import { looksOf } from '#store/verifications/looks.ts';
import { maskingsOf } from '#store/verifications/maskings.ts';
import { unstartedOf } from '#store/verifications/unstarted.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications/verifications.ts';
import { openDeliveryIds } from '#store/webhooks/deliveries.ts';
import { type RecordingContext, recording } from '../attempts/recording.ts';
import type { Context } from '../context.ts';
import type { Actor } from '../ledger/append.ts';
import { completed } from './completed.ts';
import { recordClaim } from './record-create.ts';
import { noRow, refused, stateOf } from './state.ts';

type RecordContext = Pick<Context, 'store' | 'secrets' | 'publicUrl' | 'instruments'> & RecordingContext;

/**
 * Carries out a claimed request in one transaction. The first commit wins, and a repetition returns the stored state
 * (decision 37). So a new run of a lost workflow gets the state too (decision 36).
 */
export async function recordVerification(ctx: RecordContext, ref: VerificationRef): Promise<Recorded> {
  const scope = scopeOfWorkflow(ref);
  const recorded = await recording(ctx, (tx) => recordClaim(ctx, tx, scope, ref.verificationId));
  // The lock on the request is gone by now. An erasure locks the verification first and then its requests.
  return recorded ?? recording(ctx, (tx) => storedState(tx, scope, ref.verificationId));
}

async function storedState(tx: Db, scope: OrgScope, id: string): Promise<Recorded> {
  const stored = await verificationsOf(scope, tx).lock(id);
  if (stored === undefined) return noRow;
  if (stored.runDueSince !== null) await unstartedOf(scope, tx).started(id).execute();
  const isCompleted = stored.status === 'completed';
  const review = isCompleted ? await reviewState(tx, scope, id) : {};
  const isBeforeSend = stored.status === 'in_progress' && stored.submittedAt === null;
  return {
    ...stateOf(stored),
    deliveryIds: await openDeliveryIds(scope, tx, id),
    ...(isCompleted && (await maskingsOf(scope, tx, id).areOriginalsLeft()) && { maskingDue: true }),
    ...review,
    ...(await bankStateOf(tx, scope, stored)),
    ...(isBeforeSend && (await looksOf(scope, tx, id).areDue()) && { picturesDue: true }),
  };
}

async function reviewState(
  tx: Db,
  scope: OrgScope,
  id: string,
): Promise<Pick<Recorded, 'reviewDue' | 'reviewInMs'>> {
  const dueInMs = await reviewDecisionsOf(scope, tx, id).dueInMs();
  if (dueInMs === undefined) return {};
  return dueInMs === 0 ? { reviewDue: true } : { reviewInMs: dueInMs };
}

/** A bank's confirmation is its own examination, stored with the submission. Before that, a visit may wait for something. */
async function bankStateOf(
  tx: Db,
  scope: OrgScope,
  verification: LockedVerification,
): Promise<Pick<Recorded, 'bankDue' | 'examined'>> {
  const { method, status, submittedAt } = verification;
  if (status !== 'in_progress' || examinersOf(method).length > 0) return {};
  if (submittedAt !== null) return { examined: true };
  if (!awaitsEvidence(verification)) return {};
  return (await eidTransactionsOf(scope, tx, verification.id).open()).length > 0 ? { bankDue: true } : {};
}

/**
 * Completes an open verification. The first commit wins, and the row stores the id of the API request, if any (decisions 8 and 37).
 * The verdict follows from rows alone, so nobody can send a verdict through Temporal. If no row asks for a verdict, the order is
 * refused and the verification stays open.
 */
export const recordVerdict = (ctx: RecordContext, order: RecordVerdict): Promise<Recorded> =>
  recording(ctx, async (tx) => {
    const scope = scopeOfWorkflow(order);
    const recorded = await concluded(ctx, tx, scope, order);
    const isDue =
      recorded.status === 'completed' &&
      (await maskingsOf(scope, tx, order.verificationId).areOriginalsLeft());
    return { ...recorded, ...(isDue && { maskingDue: true }) };
  });

async function concluded(
  ctx: RecordContext,
  tx: Db,
  scope: OrgScope,
  { requestId, verificationId }: RecordVerdict,
): Promise<Recorded> {
  const verification = await verificationsOf(scope, tx).lockWithSubscribers(verificationId, typesOfVerdict);
  if (verification === undefined) return noRow;
  if (verification.status === 'completed')
    return { ...stateOf(verification), deliveryIds: await openDeliveryIds(scope, tx, verificationId) };
  // The person was erased while the evidence was examined.
  if (requestId === null && verification.cancelledAt !== null) return stateOf(verification);
  const found = await verdictFromRows(tx, scope, verification, requestId);
  if (found === undefined) return refused(ctx, 'verdict', verification);
  // What was read of a document is for the person who decides. Sandbox reads nothing.
  if (found.made !== undefined && found.decision.outcome !== 'review')
    await evidenceOf(scope, tx, verificationId).remove(['fields']);
  const trigger = requestId === null ? 'completed_by_person' : 'completed_by_api';
  return completed(tx, scope, verification, { ...found, trigger, requestId, completedBy: requestId });
}

/**
 * The verdict that the rows give. `requestId` is the id of a command `complete`, which exists in sandbox only. If it is null, the
 * end user must have submitted everything, and in live the evidence must have been examined. Otherwise there is no verdict.
 */
async function verdictFromRows(
  tx: Db,
  scope: OrgScope,
  { id, method, scenario, submittedAt, rule, now }: LockedVerification & { rule: DecisionRule },
  requestId: string | null,
): Promise<Verdict | undefined> {
  const inSandbox = scope.environment === 'sandbox';
  if (requestId !== null) {
    const command =
      inSandbox && (await commandsOf(scope, tx, id).find(requestId, 'complete', keptSince('claims', now)));
    if (!command) return undefined;
    const decision = sandboxDecision(method, command.scenario ?? scenario ?? 'approved');
    const { keyId, memberId } = command;
    const actor =
      memberId === undefined
        ? ({ kind: 'key', id: keyId } as const)
        : ({ kind: 'member', id: memberId } as const);
    return { decision, actor };
  }
  if (submittedAt === null) return undefined;
  const actor = { kind: 'machine' } as const;
  if (inSandbox) return { decision: sandboxDecision(method, scenario ?? 'approved'), actor };
  const examinations = examinationsOf(scope, tx, id);
  const made = conclusive(method, await examinations.found());
  return made && { decision: decide(method, made, rule), actor, made, engine: await examinations.engine() };
}

type Verdict = {
  decision: Decision;
  actor: Actor;
  made?: readonly MadeCheck[];
  engine?: Engine | null;
};
