import { limits } from '#contract/limits.ts';
import type {
  RecordedStart,
  RecordedSubmission,
  RecordStart,
  RecordSubmission,
} from '#contract/workflows.ts';
import { isComplete } from '#policy/flow.ts';
import { assertAllowed } from '#policy/lifecycle.ts';
import { evidenceOf } from '#store/evidence.ts';
import { scopeOfWorkflow } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { lockVerificationOfAnyOrganisation, verificationsOf } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { linkLeftMs } from '../verifications/link.ts';
import { acceptsEvidence } from './evidence.ts';

const lifetimeAfterStartMs = limits.linkLifetimeHoursAfterStart * 3_600_000;

/** Records that the person consented and pressed Start (decisions 6 and 7). A repetition changes nothing. */
export const recordStart = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId, consent, requestId }: RecordStart,
): Promise<RecordedStart> =>
  ctx.store.transaction(async (tx) => {
    const verification = await lockVerificationOfAnyOrganisation(tx, verificationId);
    if (verification === undefined) return { status: 'missing', linkLeftMs: 0 };
    const { status, now: at } = verification;
    const leftMs = linkLeftMs(verification);
    if (status !== 'pending' || leftMs === 0) return { status, linkLeftMs: leftMs };

    const scope = scopeOfWorkflow(verification);
    assertAllowed(scope.environment, status, 'started', 'in_progress');
    const line = await nextLine(ctx, tx, scope, {
      subjectId: verificationId,
      type: 'verification.started',
      data: { from: status, trigger: 'started', request_id: requestId, consent },
      at,
    });
    await writeAtOnce(tx, [
      verificationsOf(scope, tx).start(verificationId, new Date(at.getTime() + lifetimeAfterStartMs)),
      line,
    ]);
    return { status: 'in_progress', linkLeftMs: lifetimeAfterStartMs };
  });

/** Records that the person submitted. After that no picture can be replaced. */
export const recordSubmission = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId, requestId }: RecordSubmission,
): Promise<RecordedSubmission> =>
  ctx.store.transaction(async (tx) => {
    const verification = await lockVerificationOfAnyOrganisation(tx, verificationId);
    if (verification === undefined) return { status: 'missing', submitted: false, linkLeftMs: 0 };
    const { status, method, submittedAt, now: at } = verification;
    const reached = { status, linkLeftMs: linkLeftMs(verification), submitted: submittedAt !== null };
    if (!acceptsEvidence(verification)) return reached;

    const scope = scopeOfWorkflow(verification);
    const evidence = await evidenceOf(scope, tx, verificationId).received();
    const kinds = evidence.map(({ kind }) => kind);
    if (!isComplete(method, kinds)) return reached;
    const line = await nextLine(ctx, tx, scope, {
      subjectId: verificationId,
      type: 'verification.submitted',
      data: {
        request_id: requestId,
        evidence: evidence.map(({ kind, sha256 }) => ({ kind, sha256: sha256?.toString('hex') ?? null })),
      },
      at,
    });
    await writeAtOnce(tx, [verificationsOf(scope, tx).submit(verificationId, at), line]);
    return { ...reached, submitted: true };
  });
