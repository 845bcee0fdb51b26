import type { DecisionRule } from '#contract/enums.ts';
import type { MadeCheck } from '#contract/examinations.ts';
import { IncomeCheck } from '#contract/income-check.ts';
import { Verification } from '#contract/verification.ts';
import type { Decision, Recorded, RecordVerdict, VerificationRef } from '#contract/workflows.ts';
import { newPublicId } from '#platform/crypto.ts';
import { conclusive } from '#policy/conclusive.ts';
import { decide } from '#policy/decide.ts';
import { awaitsEvidence } from '#policy/flow.ts';
import { assertAllowed } from '#policy/lifecycle.ts';
import { examinersOf } from '#policy/methods/examiners.ts';
import { typesOfVerdict } from '#policy/resources.ts';
import { keptSince } from '#policy/retention.ts';
import { decisionAtOnce, sandboxDecision } from '#policy/sandbox.ts';
import { commandsOf } from '#store/commands.ts';
import type { Db } from '#store/connection.ts';
import { openDeliveryIds } from '#store/deliveries.ts';
import { eidTransactionsOf } from '#store/eid-transactions.ts';
import { type Engine, examinationsOf } from '#store/examinations.ts';
import { incomeChecksOf } from '#store/income-checks.ts';
import { looksOf } from '#store/looks.ts';
import { maskingsOf } from '#store/maskings.ts';
import { type LockedRequest, requestsOf } from '#store/requests.ts';
import { reviewsOf } from '#store/reviews.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/scope.ts';
import { type Write, writeAtOnce } from '#store/statements.ts';
import { unstartedOf } from '#store/unstarted.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { type Actor, firstLine, personalValues } from '../ledger/append.ts';
import { verdictForLedger } from '../ledger/verdict.ts';
import { newDataKey } from '../personal/data-key.ts';
import { sealedAnswerWrite } from '../requests/answer.ts';
import { completed } from './completed.ts';
import { incomeCheckView } from './income-view.ts';
import { linkLifetimeMs } from './link.ts';
import { publishVerdict } from './publish-verdict.ts';
import { noRow, refused, stateOf } from './state.ts';
import type { StoredCreate } from './stored-create.ts';
import { verificationView } from './view.ts';

type RecordContext = Pick<Context, 'store' | 'secrets' | 'publicUrl' | 'instruments'>;

/**
 * Carries out a claimed request in one transaction. The first commit wins, and a repetition returns the stored state
 * (decision 37). So a new run of a lost workflow gets the state too (decision 36).
 */
export async function recordVerification(ctx: RecordContext, ref: VerificationRef): Promise<Recorded> {
  const scope = scopeOfWorkflow(ref);
  const recorded = await ctx.store.transaction((tx) => recordClaim(ctx, tx, scope, ref.verificationId));
  // The lock on the request is gone by now. An erasure locks the verification first and then its requests.
  return recorded ?? ctx.store.transaction((tx) => storedState(tx, scope, ref.verificationId));
}

/**
 * Carries out a claimed create that is to stay pending, before its workflow runs (decision 42). The row says that the run is still to
 * start. Returns undefined if the create was answered before.
 */
export const recordPending = (
  ctx: RecordContext,
  scope: OrgScope,
  id: string,
): Promise<Recorded | undefined> =>
  ctx.store.transaction((tx) => recordClaim(ctx, tx, scope, id, { isRunDue: true }));

/** Returns undefined if the request was answered before, or is deleted, as each request is some time after its answer. */
async function recordClaim(
  ctx: RecordContext,
  tx: Db,
  scope: OrgScope,
  id: string,
  { isRunDue } = { isRunDue: false },
): Promise<Recorded | undefined> {
  const requests = requestsOf(scope, tx);
  const request = await requests.lock(id, typesOfVerdict);
  if (request === undefined || request.status === 'answered') return undefined;
  if (request.status === 'claimed' && !isTooOld(request))
    return carryOut(ctx, tx, scope, { request, isRunDue });
  await requests.release(request.id);
  return { ...noRow, status: 'abandoned' };
}

/** A claim is kept for a day (decision 21). The deadline of its caller passed long before the end of that day. */
const isTooOld = ({ createdAt, now }: LockedRequest) => createdAt < keptSince('claims', now);

async function storedState(tx: Db, scope: OrgScope, id: string): Promise<Recorded> {
  const stored = await verificationsOf(scope, tx).lock(id);
  if (stored === undefined) return noRow;
  if (stored.runDueSince !== null) await unstartedOf(scope, tx).started(id).execute();
  const isCompleted = stored.status === 'completed';
  const isReviewDue = isCompleted && (await reviewsOf(scope, tx, id).isDue());
  const isBeforeSend = stored.status === 'in_progress' && stored.submittedAt === null;
  return {
    ...stateOf(stored),
    deliveryIds: await openDeliveryIds(scope, tx, id),
    ...(isCompleted && (await maskingsOf(scope, tx, id).areOriginalsLeft()) && { maskingDue: true }),
    ...(isReviewDue && { reviewDue: true }),
    ...(await bankStateOf(tx, scope, stored)),
    ...(isBeforeSend && (await looksOf(scope, tx, id).areDue()) && { picturesDue: true }),
  };
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
 * Writes the verification, the ledger line and the answer. If the creator asked for `auto_complete` in sandbox, also writes the
 * verdict, the event and the deliveries. Otherwise the verification stays pending, as in live.
 */
async function carryOut(
  ctx: RecordContext,
  tx: Db,
  scope: OrgScope,
  { request, isRunDue }: { request: LockedRequest; isRunDue: boolean },
): Promise<Recorded> {
  const at = request.now;
  const input = request.input as StoredCreate;
  const decision = decisionAtOnce(scope.environment, input);
  const status = decision === null ? 'pending' : 'completed';
  assertAllowed(scope.environment, null, 'created', status);

  const verification = {
    id: request.id,
    environment: scope.environment,
    status,
    reference: input.reference ?? null,
    scenario: scope.environment === 'sandbox' ? input.sandbox.scenario : null,
    dossierRef: newPublicId('dos_'),
    linkVersion: 1,
    linkKeyId: ctx.secrets.newestKeyId,
    linkExpiresAt: new Date(at.getTime() + linkLifetimeMs),
    verdict: decision,
    createdAt: at,
    completedAt: decision && at,
    runDueSince: isRunDue ? at : null,
  } as const;
  const { reference } = verification;
  const { method } = input;
  const dataKey = reference === null ? undefined : newDataKey(ctx, tx, scope, request.id);
  const line = firstLine(tx, scope, {
    subjectId: request.id,
    type: 'verification.created',
    actor: { kind: 'key', id: request.keyId },
    data: {
      environment: scope.environment,
      method,
      status,
      dossier_ref: verification.dossierRef,
      verdict: decision && verdictForLedger(decision),
    },
    personal: dataKey && personalValues(dataKey.key, { reference }),
    at,
  });
  const { subscribers } = request;
  const published =
    decision && publishVerdict(tx, scope, { ...verification, method, verdict: decision, at, subscribers });

  const { body, details } = bodyOf(ctx, tx, scope, input, verification);
  await writeAtOnce(tx, [
    verificationsOf(scope, tx).insert({ ...verification, method }),
    ...details,
    ...(dataKey ? [dataKey.write] : []),
    ...line,
    sealedAnswerWrite(ctx, tx, scope, request.id, { status: 201, body }),
    ...(published?.writes ?? []),
  ]);
  return { ...noRow, status, linkLeftMs: linkLifetimeMs, deliveryIds: published?.deliveryIds ?? [] };
}

type NewCase = Omit<Parameters<ReturnType<typeof verificationsOf>['insert']>[0], 'method'> & {
  environment: OrgScope['environment'];
};

/** The answer to a create, and the writes of what an income check has besides. */
function bodyOf(
  ctx: RecordContext,
  tx: Db,
  scope: OrgScope,
  input: StoredCreate,
  row: NewCase,
): { body: Verification | IncomeCheck; details: Write[] } {
  if (input.method !== 'income')
    return { body: Verification.parse(verificationView(ctx, { ...row, method: input.method })), details: [] };
  const { verification_id: linkedId = null, document_types: documentTypes = null } = input;
  return {
    body: IncomeCheck.parse(incomeCheckView(ctx, { ...row, linkedId, judgement: null, dataKey: null })),
    details: [incomeChecksOf(scope, tx).insert({ verificationId: row.id, linkedId, documentTypes })],
  };
}

/**
 * Completes an open verification. The first commit wins, and the row stores the id of the API request, if any (decisions 8 and 37).
 * The verdict follows from rows alone, so nobody can send a verdict through Temporal. If no row asks for a verdict, the order is
 * refused and the verification stays open.
 */
export const recordVerdict = (ctx: RecordContext, order: RecordVerdict): Promise<Recorded> =>
  ctx.store.transaction(async (tx) => {
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
