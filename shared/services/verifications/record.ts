import type { DecisionRule } from '#contract/enums.ts';
import { type CreateVerification, Verification } from '#contract/verification.ts';
import type { Decision, Recorded, RecordVerdict, VerificationRef } from '#contract/workflows.ts';
import { newPublicId } from '#platform/crypto.ts';
import { decide } from '#policy/decide.ts';
import { conclusive } from '#policy/examination.ts';
import { assertAllowed } from '#policy/lifecycle.ts';
import { keptSince } from '#policy/retention.ts';
import { sandboxDecision } from '#policy/sandbox.ts';
import { commandsOf } from '#store/commands.ts';
import type { Db } from '#store/connection.ts';
import { openDeliveryIds } from '#store/deliveries.ts';
import { type Engine, examinationsOf } from '#store/examinations.ts';
import { type LockedRequest, requestsOf } from '#store/requests.ts';
import { reviewsOf } from '#store/reviews.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { type Actor, firstLine, personalValues } from '../ledger/append.ts';
import { verdictForLedger } from '../ledger/verdict.ts';
import { newDataKey } from '../personal/data-key.ts';
import { sealedAnswerWrite } from '../requests/answer.ts';
import { completed } from './completed.ts';
import { linkLifetimeMs } from './link.ts';
import { publishVerdict, verdictEvent } from './publish-verdict.ts';
import { noRow, refused, stateOf } from './state.ts';
import { verificationView } from './view.ts';

type RecordContext = Pick<Context, 'store' | 'secrets' | 'publicUrl' | 'instruments'>;

/**
 * Carries out a claimed request in one transaction. The first commit wins, and a repetition returns the stored state
 * (decision 37). So a new run of a lost workflow gets the state too (decision 36).
 */
export const recordVerification = (ctx: RecordContext, ref: VerificationRef): Promise<Recorded> =>
  ctx.store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const requests = requestsOf(scope, tx);
    const request = await requests.lock(ref.verificationId, verdictEvent);
    // A request is deleted some time after its answer.
    if (request === undefined || request.status === 'answered')
      return storedState(tx, scope, ref.verificationId);
    if (request.status === 'claimed' && !isTooOld(request)) return carryOut(ctx, tx, scope, request);
    await requests.release(request.id);
    return { ...noRow, status: 'abandoned' };
  });

/** A claim is kept for a day (decision 21). The deadline of its caller passed long before the end of that day. */
const isTooOld = ({ createdAt, now }: LockedRequest) => createdAt < keptSince('claims', now);

async function storedState(tx: Db, scope: OrgScope, id: string): Promise<Recorded> {
  const stored = await verificationsOf(scope, tx).lock(id);
  if (stored === undefined) return noRow;
  const isReviewDue = stored.status === 'completed' && (await reviewsOf(scope, tx, id).isDue());
  return {
    ...stateOf(stored),
    deliveryIds: await openDeliveryIds(scope, tx, id),
    ...(isReviewDue && { reviewDue: true }),
  };
}

/**
 * Writes the verification, the ledger line and the answer. If the creator asked for `auto_complete` in sandbox, also writes the
 * verdict, the event and the deliveries. Otherwise the verification stays pending, as in live.
 */
async function carryOut(
  ctx: RecordContext,
  tx: Db,
  scope: OrgScope,
  request: LockedRequest,
): Promise<Recorded> {
  const at = request.now;
  const input = request.input as CreateVerification;
  const scenario = scope.environment === 'sandbox' ? input.sandbox.scenario : null;
  const decision =
    scenario !== null && input.sandbox.auto_complete ? sandboxDecision(input.method, scenario) : null;
  const status = decision === null ? 'pending' : 'completed';
  assertAllowed(scope.environment, null, 'created', status);

  const verification = {
    id: request.id,
    environment: scope.environment,
    status,
    method: input.method,
    reference: input.reference ?? null,
    scenario,
    dossierRef: newPublicId('dos_'),
    linkVersion: 1,
    linkKeyId: ctx.secrets.newestKeyId,
    linkExpiresAt: new Date(at.getTime() + linkLifetimeMs),
    verdict: decision,
    createdAt: at,
    completedAt: decision && at,
  } as const;
  const { reference } = verification;
  const dataKey = reference === null ? undefined : newDataKey(ctx, tx, scope, request.id);
  const line = firstLine(tx, scope, {
    subjectId: request.id,
    type: 'verification.created',
    actor: { kind: 'key', id: request.keyId },
    data: {
      environment: scope.environment,
      method: input.method,
      status,
      dossier_ref: verification.dossierRef,
      verdict: decision && verdictForLedger(decision),
    },
    personal: dataKey && personalValues(dataKey.key, { reference }),
    at,
  });
  const { subscribers } = request;
  const published =
    decision && publishVerdict(tx, scope, { ...verification, verdict: decision, at, subscribers });

  const body = Verification.parse(verificationView(ctx, verification));
  await writeAtOnce(tx, [
    verificationsOf(scope, tx).insert(verification),
    ...(dataKey ? [dataKey.write] : []),
    ...line,
    sealedAnswerWrite(ctx, tx, scope, request.id, { status: 201, body }),
    ...(published?.writes ?? []),
  ]);
  return { ...noRow, status, linkLeftMs: linkLifetimeMs, deliveryIds: published?.deliveryIds ?? [] };
}

/**
 * Completes an open verification. The first commit wins, and the row stores the id of the API request, if any (decisions 8 and 37).
 * The verdict follows from rows alone, so nobody can send a verdict through Temporal. If no row asks for a verdict, the order is
 * refused and the verification stays open.
 */
export const recordVerdict = (ctx: RecordContext, { requestId, ...ref }: RecordVerdict): Promise<Recorded> =>
  ctx.store.transaction(async (tx) => {
    const { verificationId } = ref;
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lockWithSubscribers(verificationId, verdictEvent);
    if (verification === undefined) return noRow;
    if (verification.status === 'completed')
      return { ...stateOf(verification), deliveryIds: await openDeliveryIds(scope, tx, verificationId) };
    // The person was erased while the evidence was examined.
    if (requestId === null && verification.cancelledAt !== null) return stateOf(verification);
    const found = await verdictFromRows(tx, scope, verification, requestId);
    if (found === undefined) return refused(ctx, 'verdict', verification);
    const trigger = requestId === null ? 'completed_by_person' : 'completed_by_api';
    return completed(tx, scope, verification, { ...found, trigger, requestId, completedBy: requestId });
  });

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
    return { decision, actor: { kind: 'key', id: command.keyId } };
  }
  if (submittedAt === null) return undefined;
  const actor = { kind: 'machine' } as const;
  if (inSandbox) return { decision: sandboxDecision(method, scenario ?? 'approved'), actor };
  const examinations = examinationsOf(scope, tx, id);
  const checks = conclusive(await examinations.found());
  return checks && { decision: decide(method, checks, rule), actor, engine: await examinations.engine() };
}

type Verdict = { decision: Decision; actor: Actor; engine?: Engine | null };
