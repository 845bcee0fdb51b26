import { type CreateVerification, Verification } from '#contract/verification.ts';
import type {
  Decision,
  RecordedVerdict,
  RecordedVerification,
  RecordVerdict,
  RecordVerification,
} from '#contract/workflows.ts';
import { newPublicId } from '#platform/crypto.ts';
import { assertAllowed, type Trigger } from '#policy/lifecycle.ts';
import { keptSince } from '#policy/retention.ts';
import type { Db } from '#store/connection.ts';
import { openDeliveryIds } from '#store/deliveries.ts';
import { type LockedRequest, lockRequestOfAnyOrganisation, requestsOf } from '#store/requests.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import {
  lockVerificationAndSubscribersOfAnyOrganisation,
  type VerificationRow,
  verificationsOf,
} from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { firstLine, nextLine } from '../ledger/append.ts';
import { sealedAnswerWrite } from '../requests/answer.ts';
import { linkLeftMs, linkLifetimeMs } from './link.ts';
import { publishVerdict, verdictEvent } from './publish-verdict.ts';
import { verificationView } from './view.ts';

type RecordContext = Pick<Context, 'store' | 'secrets' | 'publicUrl' | 'instruments'>;

const nothing = { linkLeftMs: 0, deliveryIds: [] };

/**
 * Carries out a claimed request in one transaction. The first commit wins, and a repetition returns the stored state
 * (decision 37). So a new run of a lost workflow gets the state too (decision 36).
 */
export const recordVerification = (
  ctx: RecordContext,
  order: RecordVerification,
): Promise<RecordedVerification> =>
  ctx.store.transaction(async (tx) => {
    const request = await lockRequestOfAnyOrganisation(tx, order.verificationId, verdictEvent);
    if (request === undefined) return { status: 'missing', ...nothing };
    if (request.status === 'abandoned') return { status: 'abandoned', ...nothing };
    const scope = scopeOfWorkflow(request);
    if (request.status === 'claimed' && isTooOld(request)) {
      await requestsOf(scope, tx).release(request.id);
      return { status: 'abandoned', ...nothing };
    }
    return request.status === 'answered'
      ? storedState(tx, scope, request)
      : carryOut(ctx, tx, scope, request, order.decision);
  });

/** A claim is kept for a day (decision 21). The deadline of its caller passed long before the end of that day. */
const isTooOld = ({ createdAt, now }: LockedRequest) => createdAt < keptSince('claims', now);

async function storedState(tx: Db, scope: OrgScope, request: LockedRequest): Promise<RecordedVerification> {
  const stored = await verificationsOf(scope, tx).find(request.id);
  if (stored === undefined) return { status: 'missing', ...nothing };
  return {
    status: stored.status,
    linkLeftMs: linkLeftMs({ ...stored, now: request.now }),
    submitted: stored.submittedAt !== null,
    deliveryIds: await openDeliveryIds(scope, tx, stored.id),
  };
}

/**
 * Writes the verification, the ledger line and the answer. If there is a decision, also writes the verdict, the event and the
 * deliveries.
 */
async function carryOut(
  ctx: RecordContext,
  tx: Db,
  scope: OrgScope,
  request: LockedRequest,
  decision: Decision | null,
): Promise<RecordedVerification> {
  const at = request.now;
  const input = request.input as CreateVerification;
  const status = decision === null ? 'pending' : 'completed';
  assertAllowed(scope.environment, null, 'created', status);

  const verification = {
    id: request.id,
    environment: scope.environment,
    status,
    method: input.method,
    reference: input.reference ?? null,
    scenario: scope.environment === 'sandbox' ? input.sandbox.scenario : null,
    dossierRef: newPublicId('dos_'),
    linkVersion: 1,
    linkKeyId: ctx.secrets.newestKeyId,
    linkExpiresAt: new Date(at.getTime() + linkLifetimeMs),
    verdict: decision,
    createdAt: at,
    completedAt: decision && at,
  } as const;
  const line = firstLine(ctx, tx, scope, {
    subjectId: request.id,
    type: 'verification.created',
    data: {
      environment: scope.environment,
      method: input.method,
      status,
      dossier_ref: verification.dossierRef,
      verdict: decision && verdictForLedger(decision),
    },
    personal: verification.reference === null ? undefined : { reference: verification.reference },
    at,
  });
  const { subscribers } = request;
  const published =
    decision && publishVerdict(tx, scope, { ...verification, verdict: decision, at, subscribers });

  const body = Verification.parse(verificationView(ctx, verification));
  await writeAtOnce(tx, [
    verificationsOf(scope, tx).insert(verification),
    line,
    sealedAnswerWrite(ctx, tx, scope, request.id, { status: 201, body }),
    ...(published?.writes ?? []),
  ]);
  return { status, linkLeftMs: linkLifetimeMs, deliveryIds: published?.deliveryIds ?? [] };
}

/**
 * Completes an open verification. The first commit wins, and the row stores the id of the API request, if any (decisions 8 and 37). A
 * decision that no workflow of ours can have made is refused, and the verification stays open.
 */
export const recordVerdict = (ctx: RecordContext, order: RecordVerdict): Promise<RecordedVerdict> =>
  ctx.store.transaction(async (tx) => {
    const { verificationId, decision, requestId } = order;
    const verification = await lockVerificationAndSubscribersOfAnyOrganisation(
      tx,
      verificationId,
      verdictEvent,
    );
    if (verification === undefined) return { deliveryIds: [] };
    const scope = scopeOfWorkflow(verification);
    const { status, reference, subscribers, now: at } = verification;
    if (status === 'completed') return { deliveryIds: await openDeliveryIds(scope, tx, verificationId) };
    const staysOpen = { deliveryIds: [], instead: { status, linkLeftMs: linkLeftMs(verification) } };
    // The workflow received a submission that the row does not have. So the database was restored to an earlier state
    // (decision 36).
    if (requestId === null && verification.submittedAt === null) return staysOpen;
    if (isForged(order, verification)) {
      ctx.instruments.forgedVerdicts.add(1);
      return staysOpen;
    }

    const trigger: Trigger = requestId === null ? 'completed_by_person' : 'completed_by_api';
    assertAllowed(scope.environment, status, trigger, 'completed');
    const line = await nextLine(ctx, tx, scope, {
      subjectId: verificationId,
      type: 'verification.completed',
      data: {
        from: status,
        trigger,
        ...(requestId !== null && { request_id: requestId }),
        verdict: verdictForLedger(decision),
      },
      at,
    });
    const verdict = { id: verificationId, reference, verdict: decision, at, subscribers };
    const { writes, deliveryIds } = publishVerdict(tx, scope, verdict);

    await writeAtOnce(tx, [
      verificationsOf(scope, tx).complete(verificationId, { verdict: decision, at, requestId }),
      line,
      ...writes,
    ]);
    return { deliveryIds };
  });

/**
 * The decision comes through Temporal, so whoever reaches Temporal can send any decision. The decision must be for the organisation
 * and environment of the row. A live decision by a machine must not approve, must have the assurance level `low`, and must not
 * claim a review.
 */
const isForged = (
  { orgId, environment, decision }: RecordVerdict,
  row: Pick<VerificationRow, 'orgId' | 'environment'>,
): boolean =>
  orgId !== row.orgId ||
  environment !== row.environment ||
  (row.environment === 'live' &&
    (decision.outcome === 'approved' || decision.assuranceLevel !== 'low' || decision.reviewed));

/** The ledger stores the whole verdict, because a verdict contains no personal data. */
const verdictForLedger = (verdict: Decision) => ({
  outcome: verdict.outcome,
  assurance_level: verdict.assuranceLevel,
  reasons: verdict.reasonIds,
  checks: verdict.checks,
  reviewed: verdict.reviewed,
});
