import type { Recorded, RecordReview } from '#contract/workflows.ts';
import { typesOfReview } from '#policy/resources.ts';
import { reviewedVerdict } from '#policy/reviews.ts';
import { madeSoFar } from '#policy/verdicts/conclusive.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { ledgerOf } from '#store/ledger.ts';
import { reviewDecisionsOf } from '#store/reviews/review-decisions.ts';
import { reviewsOf } from '#store/reviews/reviews.ts';
import { evidenceEndOf } from '#store/verifications/evidence.ts';
import { examinationsOf } from '#store/verifications/examinations.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications/verifications.ts';
import { openDeliveryIds } from '#store/webhooks/deliveries.ts';
import { type RecordingContext, recording } from '../attempts/recording.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { makingsForLedger, verdictForLedger } from '../ledger/verdict.ts';
import { publishVerdict } from '../recording/publish-verdict.ts';
import { noRow, refused, stateOf } from '../recording/state.ts';
import { accessOf } from './independent.ts';

/**
 * Carries out the stored decisions of reviewers that are due, in their order (decision 10). Rows alone decide. A decision that does not end
 * the review becomes a line without its choice. The one that ends it replaces the verdict. A repetition changes nothing.
 */
export const recordReview = (
  ctx: Pick<Context, 'store' | 'instruments'> & RecordingContext,
  { requestId, ...ref }: RecordReview,
): Promise<Recorded> =>
  recording(ctx, async (tx) => {
    const { verificationId: id } = ref;
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lockWithSubscribers(id, typesOfReview);
    if (verification === undefined) return noRow;
    const reviews = reviewDecisionsOf(scope, tx, id);
    const decisions = await reviews.decisions();
    if (requestId !== null && !decisions.some((each) => each.id === requestId))
      return (await wasTakenBack(tx, scope, id, requestId))
        ? stateOf(verification)
        : refused(ctx, 'review', verification);
    const waits = decisions.find(({ recordedAt, dueInMs }) => recordedAt === null && dueInMs > 0);
    const state = { ...stateOf(verification), ...(waits && { reviewInMs: waits.dueInMs }) };
    const due = decisions.slice(0, waits && decisions.indexOf(waits));
    const last = due.findLast(({ recordedAt }) => recordedAt === null);
    if (last === undefined) return { ...state, deliveryIds: await openDeliveryIds(scope, tx, id) };
    const deliveryIds = await carryOut(tx, scope, verification, due);
    await writeAtOnce(tx, [reviews.recorded(verification.now, last.number)]);
    return { ...state, deliveryIds };
  });

/** An order can arrive after its decision was taken back. It is nobody's forgery. */
const wasTakenBack = async (tx: Db, scope: OrgScope, id: string, decisionId: string): Promise<boolean> =>
  (await ledgerOf(scope, tx).lines(id)).some(
    ({ type, data }) => type === 'review.taken_back' && data.decision_id === decisionId,
  );

type Subject = LockedVerification & { subscribers: readonly string[] };

/** Carries out the decisions that are due. Returns the deliveries of the event, if there is one. */
async function carryOut(
  tx: Db,
  scope: OrgScope,
  verification: Subject,
  decisions: readonly StoredDecision[],
): Promise<string[]> {
  let deliveryIds: string[] = [];
  for (const [place, decision] of decisions.entries()) {
    if (decision.recordedAt !== null) continue;
    if (decision.concludes)
      deliveryIds = await conclude(tx, scope, verification, decisions.slice(0, place + 1));
    else await noteAssessment(tx, scope, verification, decision);
  }
  return deliveryIds;
}

type StoredDecision = Awaited<ReturnType<ReturnType<typeof reviewDecisionsOf>['decisions']>>[number];

/** The line does not say what the member chose, because the next member must not know it. */
async function noteAssessment(
  tx: Db,
  scope: OrgScope,
  { id: subjectId, now: at }: LockedVerification,
  { id, memberId, number }: StoredDecision,
): Promise<void> {
  const line = await nextLine(tx, scope, {
    ...{ subjectId, type: 'verification.assessed', actor: { kind: 'member', id: memberId }, at },
    data: { decision_id: id, number },
  });
  await writeAtOnce(tx, line);
}

/**
 * Replaces outcome, assurance and reasons, and ends the retention of the pictures (decision 48). Returns the deliveries of the event. An
 * erasure that came after the decision changes nothing of it.
 */
async function conclude(
  tx: Db,
  scope: OrgScope,
  { id, method, reference, subscribers, now: at }: Subject,
  decisions: readonly StoredDecision[],
): Promise<string[]> {
  const machine = (await reviewsOf(scope, tx, id).subject())?.verdict;
  const last = decisions.at(-1);
  if (!machine || machine.reviewed || last === undefined)
    throw new Error('only a verdict that nobody reviewed is replaced');
  const verdict = reviewedVerdict(method, machine, decisions);
  const examinations = examinationsOf(scope, tx, id);
  const engine = await examinations.engine();
  const made = madeSoFar(await examinations.found());
  const access = await accessOf(
    tx,
    scope,
    decisions.map(({ memberId }) => memberId),
  );
  const line = await nextLine(tx, scope, {
    ...{ subjectId: id, type: 'verification.reviewed', actor: { kind: 'member', id: last.memberId }, at },
    data: {
      decision_id: last.id,
      ...(engine !== null && { engine }),
      ...makingsForLedger(made),
      decisions: decisions.map(({ id, memberId, outcome, reasonIds }) => ({
        ...{ id, member_id: memberId, outcome, reasons: reasonIds, access_from: access(memberId) },
      })),
      verdict: verdictForLedger(verdict),
    },
  });
  const { writes, deliveryIds } = publishVerdict(tx, scope, {
    id,
    method,
    reference,
    verdict,
    at,
    subscribers,
  });
  await writeAtOnce(tx, [
    reviewsOf(scope, tx, id).replaceVerdict(verdict),
    evidenceEndOf(scope, tx, id).endBy(at),
    ...line,
    ...writes,
  ]);
  return deliveryIds;
}
