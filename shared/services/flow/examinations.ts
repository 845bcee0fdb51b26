import type { MadeCheck } from '#contract/examinations.ts';
import type { Examined, VerificationRef } from '#contract/workflows.ts';
import { examineAgainMs } from '#policy/examination.ts';
import { examinersDue } from '#policy/methods/examiners.ts';
import type { Examiner } from '#policy/methods/method.ts';
import { conclusive, madeSoFar } from '#policy/verdicts/conclusive.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { examinationsOf } from '#store/verifications/examinations.ts';
import { type VerificationRow, verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';

/** The examiners whose checks were not made yet. Empty if the method has nothing to examine. */
type DueExamination = { examiners: readonly Examiner[] };

/** What an examination came to. `againMs` is present if the evidence must be examined again, after so many milliseconds. */
export type Examination = Examined & { againMs?: number | undefined };

/** Returns undefined if the verification is not waiting for an examination, for example because it was examined already. */
export async function dueExamination(
  { store }: Pick<Context, 'store'>,
  { verificationId, ...ref }: VerificationRef,
): Promise<DueExamination | undefined> {
  const scope = scopeOfWorkflow(ref);
  const verification = await verificationsOf(scope, store.db).find(verificationId);
  if (!awaitsVerdict(verification)) return undefined;
  const found = await examinationsOf(scope, store.db, verificationId).found();
  return conclusive(verification.method, found) === undefined
    ? { examiners: examinersDue(verification.method, madeSoFar(found)) }
    : undefined;
}

type Awaiting = Pick<VerificationRow, 'status' | 'submittedAt' | 'cancelledAt'>;

/** True between Send and the verdict, unless the verification was cancelled meanwhile. */
export const awaitsVerdict = <Row extends Awaiting>(row: Row | undefined): row is Row =>
  row !== undefined && row.submittedAt !== null && row.status !== 'completed' && row.cancelledAt === null;

/**
 * Stores what an examination found, beside what the ones before found, or null if it failed. The verdict is computed from these rows. Says
 * whether nothing more is to be examined. `also` is stored in the same transaction, if the case still waits for its verdict.
 */
export const recordExamination = (
  { store }: Pick<Context, 'store'>,
  { verificationId, ...ref }: VerificationRef,
  made: readonly MadeCheck[] | null,
  also: (tx: Db, scope: OrgScope) => Promise<void> = async () => undefined,
): Promise<Examination> =>
  store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(verificationId);
    if (!awaitsVerdict(verification)) return { examined: true };
    const examinations = examinationsOf(scope, tx, verificationId);
    await also(tx, scope);
    await examinations.add(made && together(madeSoFar(await examinations.found()), made));
    const found = await examinations.found();
    if (conclusive(verification.method, found) !== undefined) return { examined: true };
    return { examined: false, againMs: examineAgainMs[found.length - 1] };
  });

/** The newer check of a kind counts. */
export const together = (before: readonly MadeCheck[], made: readonly MadeCheck[]): MadeCheck[] => [
  ...before.filter(({ kind }) => !made.some((check) => check.kind === kind)),
  ...made,
];
