import type { VerificationStatus } from '#contract/enums.ts';
import { IncomeCheck } from '#contract/income/check.ts';
import { Verification } from '#contract/verification.ts';
import type { Recorded } from '#contract/workflows.ts';
import { newPublicId } from '#platform/crypto/crypto.ts';
import { assertAllowed } from '#policy/lifecycle.ts';
import { typesOfVerdict } from '#policy/resources.ts';
import { keptSince } from '#policy/retention.ts';
import { decisionAtOnce } from '#policy/verdicts/sandbox.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type Write, writeAtOnce } from '#store/database/statements.ts';
import { type LockedRequest, requestsOf } from '#store/requests.ts';
import { incomeChecksOf } from '#store/verifications/income-checks.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { type Actor, firstLine, personalValues } from '../ledger/append.ts';
import { verdictForLedger } from '../ledger/verdict.ts';
import { newDataKey } from '../personal/data-key.ts';
import type { NewPaper } from '../personal/stored-papers.ts';
import { sealedAnswerWrite } from '../requests/answer.ts';
import { bringsPapers, type StoredCreate } from '../runs/stored-create.ts';
import { incomeCheckView } from '../views/income-view.ts';
import { linkLifetimeMs, noLink } from '../views/link.ts';
import { verificationView } from '../views/view.ts';
import { publishVerdict } from './publish-verdict.ts';
import { noRow } from './state.ts';
import { sendPapers } from './submission.ts';

type CreateContext = Pick<Context, 'store' | 'secrets' | 'publicUrl'>;

/** What a create brings besides its row. `isRunDue` says that the workflow is still to start. */
type Brought = { isRunDue: boolean; papers?: readonly NewPaper[] | undefined };

/**
 * Carries out a claimed create that is to stay open, before its workflow runs (decision 42). The row says that the run is still to
 * start. Returns undefined if the create was answered before.
 */
export const recordOpen = (
  ctx: CreateContext,
  scope: OrgScope,
  id: string,
  papers: readonly NewPaper[] | undefined,
): Promise<Recorded | undefined> =>
  ctx.store.transaction((tx) => recordClaim(ctx, tx, scope, id, { isRunDue: true, papers }));

/** Returns undefined if the request was answered before, or is deleted, as each request is some time after its answer. */
export async function recordClaim(
  ctx: CreateContext,
  tx: Db,
  scope: OrgScope,
  id: string,
  brought: Brought = { isRunDue: false },
): Promise<Recorded | undefined> {
  const requests = requestsOf(scope, tx);
  const request = await requests.lock(id, typesOfVerdict);
  if (request === undefined || request.status === 'answered') return undefined;
  if (request.status === 'claimed' && !isTooOld(request)) return carryOut(ctx, tx, scope, request, brought);
  await requests.release(request.id);
  return { ...noRow, status: 'abandoned' };
}

/** A claim is kept for a day (decision 21). The deadline of its caller passed long before the end of that day. */
const isTooOld = ({ createdAt, now }: LockedRequest) => createdAt < keptSince('claims', now);

/**
 * Writes the verification, the ledger line and the answer. If the creator asked for `auto_complete` in sandbox, also writes the
 * verdict, the event and the deliveries. Otherwise the verification stays open, as in live: in progress if everything came with the
 * request, else pending. Returns undefined if documents came with the request and are not here, since only its repetition brings them.
 */
async function carryOut(
  ctx: CreateContext,
  tx: Db,
  scope: OrgScope,
  request: LockedRequest,
  { isRunDue, papers = [] }: Brought,
): Promise<Recorded | undefined> {
  const { id, keyId, now: at, subscribers } = request;
  const input = request.input as StoredCreate;
  const verification = newRow(ctx, scope, request, input);
  const { status, reference, verdict } = verification;
  const isSent = status === 'in_progress';
  if (isSent && papers.length === 0) return undefined;
  assertAllowed(scope.environment, null, isSent ? 'created_with_documents' : 'created', status);

  const { method } = input;
  const actor: Actor = { kind: 'key', id: keyId };
  const dataKey = reference === null ? undefined : newDataKey(ctx, tx, scope, id);
  const line = firstLine(tx, scope, {
    subjectId: id,
    type: 'verification.created',
    actor,
    data: {
      environment: scope.environment,
      method,
      status,
      dossier_ref: verification.dossierRef,
      verdict: verdict && verdictForLedger(verdict),
    },
    personal: dataKey && personalValues(dataKey.key, { reference }),
    at,
  });
  const published =
    verdict && publishVerdict(tx, scope, { ...verification, method, verdict, at, subscribers });

  const { body, details } = bodyOf(ctx, tx, scope, { input, row: verification, papers });
  await writeAtOnce(tx, [
    verificationsOf(scope, tx).insert({ ...verification, method, runDueSince: isRunDue ? at : null }),
    ...details,
    ...(dataKey ? [dataKey.write] : []),
    ...line,
    sealedAnswerWrite(ctx, tx, scope, id, { status: 201, body }),
    ...(published?.writes ?? []),
  ]);
  if (isSent) await sendPapers(ctx, tx, scope, { id, at, actor, papers });
  const deliveryIds = published?.deliveryIds ?? [];
  return { status, linkLeftMs: linkLifetimeMs, submitted: isSent, deliveryIds };
}

function newRow(
  { secrets }: CreateContext,
  { environment }: OrgScope,
  { id, now: at }: LockedRequest,
  input: StoredCreate,
) {
  const isSent = bringsPapers(input);
  const verdict = decisionAtOnce(environment, input);
  const openStatus = isSent ? 'in_progress' : 'pending';
  const status: VerificationStatus = verdict === null ? openStatus : 'completed';
  return {
    ...{ id, environment, status, verdict, createdAt: at, completedAt: verdict && at },
    reference: input.reference ?? null,
    scenario: environment === 'sandbox' ? input.sandbox.scenario : null,
    dossierRef: newPublicId('dos_'),
    linkVersion: isSent ? noLink : 1,
    linkKeyId: secrets.newestKeyId,
    linkExpiresAt: new Date(at.getTime() + linkLifetimeMs),
  };
}

/** The answer to a create, and the writes of what an income check has besides. */
function bodyOf(
  ctx: CreateContext,
  tx: Db,
  scope: OrgScope,
  {
    input,
    row,
    papers,
  }: { input: StoredCreate; row: ReturnType<typeof newRow>; papers: readonly NewPaper[] },
): { body: Verification | IncomeCheck; details: Write[] } {
  if (input.method !== 'income')
    return { body: Verification.parse(verificationView(ctx, { ...row, method: input.method })), details: [] };
  const { verification_id: linkedId = null, document_types: documentTypes = null } = input;
  const sent = papers.map(({ id, sha256 }) => ({ id, sha256: sha256.toString('hex') }));
  const shown = { ...row, linkedId, judgement: null, dataKey: null, papers: sent };
  return {
    body: IncomeCheck.parse(incomeCheckView(ctx, shown)),
    details: [incomeChecksOf(scope, tx).insert({ verificationId: row.id, linkedId, documentTypes })],
  };
}
