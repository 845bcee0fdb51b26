import type { ReadDocument } from '#contract/documents/read-fields.ts';
import type { EvidenceKind } from '#contract/enums.ts';
import type { MadeCheck } from '#contract/examinations.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { examinersOf, examinesPictures, type PictureExaminer } from '#policy/methods/examiners.ts';
import { conclusive, madeSoFar } from '#policy/verdicts/conclusive.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { madeChecks, storedChecks } from '#store/made-checks.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { examinationsOf } from '#store/verifications/examinations.ts';
import { looksOf } from '#store/verifications/looks.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { keepFields } from '../personal/read-fields.ts';
import { acceptsEvidence, type Examinable, isDocumentComplete, openExaminable } from './evidence.ts';
import { awaitsVerdict, together } from './examinations.ts';

/** What can be examined before Send. `of` names the pictures by kind and hash. */
export type DueAhead = { examiner: PictureExaminer; of: string; pictures: Examinable };

/** What an examination found. `read` is of a document alone. */
export type MadeAhead = { made: readonly MadeCheck[]; read?: ReadDocument | null | undefined };

/** What an examiner examines, what it needs besides the whole document, and that in whose rows its examination is kept. */
const concerned: Record<PictureExaminer, Record<'of' | 'needs' | 'keptWith', readonly EvidenceKind[]>> = {
  document: {
    of: ['passport_page', 'card_front', 'card_back'],
    needs: [],
    keptWith: ['passport_page', 'card_front'],
  },
  face: { of: ['passport_page', 'card_front', 'selfie'], needs: ['selfie'], keptWith: ['selfie'] },
  liveness: { of: ['selfie', 'movements'], needs: ['selfie', 'movements'], keptWith: ['movements'] },
};

/** Names the pictures of an examiner as they are now. Undefined if one is missing. */
async function namesNow(
  tx: Db,
  scope: OrgScope,
  id: string,
  examiner: PictureExaminer,
): Promise<string | undefined> {
  const received = await evidenceOf(scope, tx, id).received();
  const kinds = received.map(({ kind }) => kind);
  const { of, needs } = concerned[examiner];
  if (!isDocumentComplete(kinds) || !needs.every((kind) => kinds.includes(kind))) return undefined;
  return received
    .filter(({ kind }) => of.includes(kind))
    .map(({ kind, sha256 }) => `${kind} ${sha256?.toString('hex')}`)
    .join();
}

/** Who examines before Send: the look that a person waits for, or what follows once the pictures are accepted. */
export type AheadBy = 'look' | 'checks';

/** Empty if there is nothing to examine before Send, or if just these pictures were examined already. */
export const beginAhead = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId: id, ...ref }: VerificationRef,
  by: AheadBy,
): Promise<DueAhead[]> =>
  ctx.store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(id);
    if (verification === undefined || !isExaminable(scope, verification)) return [];
    const before = await looksOf(scope, tx, id).examinedAhead();
    const pictures = await openExaminable(ctx, tx, scope, id);
    const due: DueAhead[] = [];
    const examiners = examinersOf(verification.method).filter(examinesPictures);
    const areLooksDue = await looksOf(scope, tx, id).areDue();
    for (const examiner of examiners.filter((each) => isExaminedBy(each, by, areLooksDue))) {
      const of = await namesNow(tx, scope, id, examiner);
      const isNew = of !== undefined && !before.some((each) => each.of === of);
      if (isNew && pictures !== undefined) due.push({ examiner, of, pictures });
    }
    return due;
  });

/** Movements belong to their look, so that the person hears of them. Once it was made, a later selfie has them examined again. */
const isExaminedBy = (examiner: PictureExaminer, by: AheadBy, areLooksDue: boolean): boolean =>
  by === 'look' ? examiner === 'liveness' : examiner !== 'liveness' || !areLooksDue;

const isExaminable = ({ environment }: OrgScope, verification: LockedVerification): boolean =>
  environment === 'live' && acceptsEvidence(verification);

/**
 * Keeps an examination that was made before Send, with the pictures that it is about. If the person has sent these pictures meanwhile,
 * it counts at once. If a picture was replaced, or the flow has ended, nothing is stored.
 */
export const recordAhead = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId: id, ...ref }: VerificationRef,
  { examiner, of }: Pick<DueAhead, 'examiner' | 'of'>,
  { made, read }: MadeAhead,
): Promise<void> =>
  ctx.store.transaction(async (tx) => {
    const scope = scopeOfWorkflow(ref);
    const verification = await verificationsOf(scope, tx).lock(id);
    if (verification === undefined || (await namesNow(tx, scope, id, examiner)) !== of) return;
    const keep = async () => void (read !== undefined && (await keepFields(ctx, tx, scope, id, read)));
    if (isExaminable(scope, verification)) {
      const { keptWith } = concerned[examiner];
      await looksOf(scope, tx, id).keepAhead(keptWith, { of, ...storedChecks(made) });
      await keep();
    } else if (awaitsVerdict(verification)) {
      const examinations = examinationsOf(scope, tx, id);
      const found = await examinations.found();
      if (conclusive(verification.method, found) !== undefined) return;
      await examinations.add(together(madeSoFar(found), made));
      await keep();
    }
  });

/**
 * Lets the examinations that were made before Send count, if they are about the pictures that were sent. Returns true if nothing is left to
 * examine. The caller has just recorded the submission, in the same transaction.
 */
export async function adoptAhead(
  tx: Db,
  scope: OrgScope,
  { id, method }: Pick<LockedVerification, 'id' | 'method'>,
): Promise<boolean> {
  if (scope.environment !== 'live') return false;
  const before = await looksOf(scope, tx, id).examinedAhead();
  let made: MadeCheck[] = [];
  for (const examiner of examinersOf(method).filter(examinesPictures)) {
    const of = await namesNow(tx, scope, id, examiner);
    const found = before.find((each) => each.of === of);
    if (found !== undefined) made = together(made, madeChecks(found));
  }
  if (made.length === 0) return false;
  const examinations = examinationsOf(scope, tx, id);
  await examinations.add(made);
  return conclusive(method, await examinations.found()) !== undefined;
}
