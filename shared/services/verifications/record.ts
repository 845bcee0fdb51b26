import type { CreateVerification } from '#contract/verification.ts';
import type {
  Decision,
  RecordedVerdict,
  RecordedVerification,
  RecordVerdict,
  RecordVerification,
} from '#contract/workflows.ts';
import { newPublicId } from '#platform/crypto.ts';
import { allows } from '#policy/lifecycle.ts';
import { openDeliveryIds } from '#store/deliveries.ts';
import { Verification } from '#store/entities/verification.ts';
import type { Tx } from '#store/orm.ts';
import { type OrgScope, scopeOfRequest } from '#store/scope.ts';
import { findVerificationById, type LockedRequest, lockRequest, lockVerification } from '#store/unscoped.ts';
import type { Context } from '../context.ts';
import { linkLifetimeMs } from '../flow/link.ts';
import { appendToLedger } from '../ledger/append.ts';
import { sealAnswer } from '../requests/answer.ts';
import { settle, verdictForLedger } from './settle.ts';
import { verificationView } from './view.ts';

const nothing = { linkLeftMs: 0, deliveryIds: [] };

/**
 * Carries out a claimed request in one transaction. The first commit wins: a repeat returns what is stored (decision 37),
 * which is also how a run that takes up a lost one finds out where things stand (decision 36).
 */
export const recordVerification = (ctx: Context, order: RecordVerification): Promise<RecordedVerification> =>
  ctx.store.transaction(async (tx) => {
    const request = await lockRequest(tx, order.verificationId);
    if (request === undefined) return { status: 'missing', ...nothing };
    const scope = scopeOfRequest(request);
    const stored = await findVerificationById(tx.db, request.id);
    if (stored !== undefined) {
      const linkLeftMs = Math.max(stored.linkExpiresAt.getTime() - request.now.getTime(), 0);
      return { status: stored.status, linkLeftMs, deliveryIds: await openDeliveryIds(scope, tx, stored.id) };
    }
    if (request.status === 'abandoned') return { status: 'abandoned', ...nothing };
    return carryOut(ctx, tx, scope, request, order.decision);
  });

/** Verification, ledger line and stored answer; and, if it is born completed, verdict, event and deliveries. */
async function carryOut(
  ctx: Context,
  tx: Tx,
  scope: OrgScope,
  request: LockedRequest,
  decision: Decision | null,
): Promise<RecordedVerification> {
  const at = request.now;
  const input = request.input as CreateVerification;
  const status = decision === null ? 'pending' : 'completed';
  assertAllowed(allows(scope.environment, null, 'created', status));

  const verification = {
    id: request.id,
    orgId: scope.orgId,
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
    completedBy: null,
  } as const;
  tx.em.create(Verification, verification);
  await appendToLedger(ctx, tx, scope, {
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
  const deliveryIds =
    decision === null ? [] : await settle(tx, scope, { ...verification, verdict: decision, at });
  await sealAnswer(ctx, tx, request.id, 201, verificationView(ctx, verification));
  return { status, linkLeftMs: linkLifetimeMs, deliveryIds };
}

/** Completes an open verification. The first commit wins and names its request (decisions 8 and 37). */
export const recordVerdict = (
  ctx: Context,
  { verificationId, decision, requestId }: RecordVerdict,
): Promise<RecordedVerdict> =>
  ctx.store.transaction(async (tx) => {
    const verification = await lockVerification(tx, verificationId);
    if (verification === undefined) return { deliveryIds: [] };
    const scope = scopeOfRequest(verification);
    if (verification.status === 'completed')
      return { deliveryIds: await openDeliveryIds(scope, tx, verificationId) };

    const at = verification.now;
    assertAllowed(allows(scope.environment, verification.status, 'completed_by_api', 'completed'));
    await tx.em.nativeUpdate(
      Verification,
      { id: verificationId, status: { $ne: 'completed' } },
      { status: 'completed', verdict: decision, completedAt: at, completedBy: requestId },
    );
    await appendToLedger(ctx, tx, scope, {
      subjectId: verificationId,
      type: 'verification.completed',
      data: {
        from: verification.status,
        trigger: 'completed_by_api',
        request_id: requestId,
        verdict: verdictForLedger(decision),
      },
      at,
    });
    const { reference } = verification;
    const deliveryIds = await settle(tx, scope, { id: verificationId, reference, verdict: decision, at });
    return { deliveryIds };
  });

function assertAllowed(allowed: boolean): void {
  if (!allowed) throw new Error('the lifecycle has no such transition');
}
