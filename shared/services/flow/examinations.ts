import type { Check, Examined, VerificationRef } from '#contract/workflows.ts';
import { conclusive } from '#policy/examination.ts';
import type { Examiner } from '#policy/methods/method.ts';
import { verificationMethods } from '#policy/methods/table.ts';
import { type Engine, examinationsOf } from '#store/examinations.ts';
import { scopeOfWorkflow } from '#store/scope.ts';
import { type VerificationRow, verificationsOf } from '#store/verifications.ts';
import type { Context } from '../context.ts';

/** The examiner is null if the method has nothing to examine. */
type DueExamination = { examiner: Examiner | null };

/** Returns undefined if the verification is not waiting for an examination, for example because it was examined already. */
export async function dueExamination(
  { store }: Pick<Context, 'store'>,
  { verificationId, ...ref }: VerificationRef,
): Promise<DueExamination | undefined> {
  const scope = scopeOfWorkflow(ref);
  const verification = await verificationsOf(scope, store.db).find(verificationId);
  if (!awaitsVerdict(verification)) return undefined;
  const found = await examinationsOf(scope, store.db, verificationId).found();
  return conclusive(found) === undefined
    ? { examiner: verificationMethods[verification.method].examiner }
    : undefined;
}

type Awaiting = Pick<VerificationRow, 'status' | 'submittedAt' | 'cancelledAt'>;

const awaitsVerdict = <Row extends Awaiting>(row: Row | undefined): row is Row =>
  row !== undefined && row.submittedAt !== null && row.status !== 'completed' && row.cancelledAt === null;

/** Stores what an examination found, or null if it failed, and which engine made it. The verdict is computed from these rows. */
export const recordExamination = (
  { store }: Pick<Context, 'store'>,
  { verificationId, ...ref }: VerificationRef,
  checks: readonly Check[] | null,
  engine: Engine | null,
): Promise<Examined> =>
  store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    if (!awaitsVerdict(await verificationsOf(scope, tx).lock(verificationId))) return { examined: true };
    const examinations = examinationsOf(scope, tx, verificationId);
    await examinations.add(checks, engine);
    return { examined: conclusive(await examinations.found()) !== undefined };
  });
