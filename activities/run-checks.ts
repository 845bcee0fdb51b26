import type { ReadDocument } from '#contract/documents/read-fields.ts';
import type { MadeCheck } from '#contract/examinations.ts';
import { calendarDay } from '#contract/time.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import { judgeCompared } from '#policy/faces.ts';
import { judgeLiveness } from '#policy/liveness.ts';
import { allChecksOf } from '#policy/methods/examiners.ts';
import {
  type Examiner,
  examinesPictures,
  type FoundCheck,
  type PictureExaminer,
} from '#policy/methods/method.ts';
import type { Context } from '#services/context.ts';
import { beginAhead, type MadeAhead, recordAhead } from '#services/flow/ahead.ts';
import { type Examinable, examinablePictures } from '#services/flow/evidence.ts';
import { dueExamination, type Examination, recordExamination } from '#services/flow/examinations.ts';
import {
  dropUnreadAtLast,
  examinablePapers,
  keepJudged,
  knownPapers,
} from '#services/flow/income-examination.ts';
import { keepFields } from '#services/personal/read-fields.ts';
import { engines, thresholds } from './checks/engines.ts';
import type { DocumentReader, FaceComparer, IncomeReader, LivenessMeasurer } from './checks/port.ts';
import { hashesOf, type JudgedAll, judgePapers, readPapers } from './examine-papers.ts';

type ChecksContext = Pick<Context, 'store' | 'secrets' | 'clock' | 'instruments'>;

/** What examines the pictures of a submission. */
export type ExaminerParts = {
  documents: DocumentReader;
  faces: FaceComparer;
  liveness: LivenessMeasurer;
  papers: IncomeReader;
};
type PictureParts = Omit<ExaminerParts, 'papers'>;

/**
 * Lets the examiners of the method examine a live submission, and stores the checks, never a description of a face. What was read of a
 * document is sealed evidence for the member who decides. If the database is lost, the activity fails and is retried without limit. A
 * failed examination is stored too, because an examination is repeated only a few times. If the pictures were deleted, all checks are in
 * doubt.
 */
export function createChecks(ctx: ChecksContext, parts: ExaminerParts, log: Log) {
  const examine = examinedBy(ctx, parts, log);
  const examineIncome = async (ref: VerificationRef): Promise<Examination> => {
    const judged = await examinedPapers(ctx, parts, log, ref);
    if (judged === null)
      return recordExamination(ctx, ref, null, (tx, scope) =>
        dropUnreadAtLast(tx, scope, ref.verificationId),
      );
    const { found, kept } = judged;
    return recordExamination(ctx, ref, madeBy('income', found), (tx, scope) =>
      keepJudged(ctx, tx, scope, ref.verificationId, kept),
    );
  };
  return async (ref: VerificationRef): Promise<Examination> => {
    const due = await dueExamination(ctx, ref);
    if (due === undefined) return { examined: true };
    if (due.examiners.includes('income')) return examineIncome(ref);
    const pictures = await examinablePictures(ctx, ref);
    const made: MadeCheck[] = [];
    let read: ReadDocument | null = null;
    for (const examiner of due.examiners.filter(examinesPictures)) {
      const found = pictures && (await examine(ref, examiner, pictures));
      made.push(...(found?.made ?? (pictures ? afterFailure[examiner] : madeBy(examiner, []))));
      read ??= found?.read ?? null;
    }
    const isNothingMade = due.examiners.length > 0 && made.length === 0;
    return recordExamination(ctx, ref, isNothingMade ? null : made, async (tx, scope) => {
      if (due.examiners.includes('document')) await keepFields(ctx, tx, scope, ref.verificationId, read);
    });
  };
}

/**
 * Examines before Send what is there, so that Send need not wait for it. If that fails, nothing is stored, and it is examined after Send
 * as usual.
 */
export function createChecksAhead(ctx: ChecksContext, parts: PictureParts, log: Log) {
  const examine = examinedBy(ctx, parts, log);
  return async (ref: VerificationRef): Promise<void> => {
    for (const due of await beginAhead(ctx, ref, 'checks')) {
      const found = await examine(ref, due.examiner, due.pictures);
      if (found !== null) await recordAhead(ctx, ref, due, found);
    }
  };
}

/** Examines the movements before Send. Returns what was found, or undefined if that failed or if there is nothing to examine. */
export function createLivenessAhead(ctx: ChecksContext, liveness: LivenessMeasurer, log: Pick<Log, 'warn'>) {
  const examine = measuredIn(ctx, log);
  return async (ref: VerificationRef): Promise<FoundCheck | undefined> => {
    const [due] = await beginAhead(ctx, ref, 'look');
    if (due === undefined) return undefined;
    const found = await examine(ref, 'liveness', () => livenessOf(liveness, due.pictures));
    const made = found && madeBy('liveness', found);
    if (made) await recordAhead(ctx, ref, due, { made });
    return made?.[0];
  };
}

/** All checks of an examiner. Those that are not in `found` are in doubt. */
const madeBy = (examiner: Examiner, found: readonly FoundCheck[]): MadeCheck[] =>
  allChecksOf(examiner, found).map((check) => ({
    ...check,
    ...{ engine: engines[examiner], threshold: thresholds[examiner], finding: check.finding ?? null },
  }));

/**
 * The checks after a failed examination. A document is examined again. Faces are not, because a person assesses them anyway, and the verdict
 * need not wait.
 */
const afterFailure: Record<PictureExaminer, readonly MadeCheck[]> = {
  document: [],
  face: madeBy('face', []),
  liveness: madeBy('liveness', []),
};

const failures: Record<Examiner, string> = {
  document: 'a document could not be examined',
  face: 'faces could not be compared',
  liveness: 'movements could not be measured',
  income: 'documents of an income could not be read',
};

/** Makes an examination of pictures and measures it. Null if it failed, which says nothing about the pictures. */
function examinedBy(ctx: ChecksContext, { documents, faces, liveness }: PictureParts, log: Log) {
  const examiners: Record<PictureExaminer, (pictures: Examinable) => Promise<Found>> = {
    document: ({ front, back }) => documents.check({ front, back }, ctx.clock.now()),
    async face({ front, selfie }) {
      if (selfie === null) return { checks: [] };
      const compared = await faces.compare(front, selfie);
      if ('distance' in compared) return { checks: [judgeCompared(compared)] };
      const { finding } = compared;
      return { checks: [{ kind: 'face_match', result: 'doubt', confidence: 0, finding }] };
    },
    liveness: async (pictures) => ({ checks: await livenessOf(liveness, pictures) }),
  };
  const measured = measuredIn(ctx, log);
  return async (
    ref: VerificationRef,
    examiner: PictureExaminer,
    pictures: Examinable,
  ): Promise<MadeAhead | null> => {
    const found = await measured(ref, examiner, () => examiners[examiner](pictures));
    return found && { made: madeBy(examiner, found.checks), read: found.read };
  };
}

type Found = { checks: readonly FoundCheck[]; read?: ReadDocument | null };

/** Empty if there is nothing to examine: a flow of the version before asked for no movements. */
async function livenessOf(
  liveness: LivenessMeasurer,
  { selfie, movements }: Examinable,
): Promise<FoundCheck[]> {
  if (movements === 'declined')
    return [{ kind: 'liveness', result: 'doubt', confidence: 0, finding: 'movements_declined' }];
  if (selfie === null || movements === null) return [];
  const frames = await liveness.measure(selfie, movements.jpegs);
  return [judgeLiveness(movements.asked, movements.times, frames)];
}

/** Null if the examination failed. The database is asked in between, so that its failure does not count as an examination. */
async function examinedPapers(
  ctx: ChecksContext,
  { papers: reader }: Pick<ExaminerParts, 'papers'>,
  log: Log,
  ref: VerificationRef,
): Promise<JudgedAll | null> {
  const { papers, by } = await examinablePapers(ctx, ref);
  const read = await measuredIn(ctx, log)(ref, 'income', () => readPapers(reader, papers));
  if (read === null) return null;
  const known = await knownPapers(ctx, ref, hashesOf(read));
  const today = calendarDay(ctx.clock.now());
  return attemptedIn(log)(ref, 'income', () => judgePapers(reader, read, { ...by, known, today }));
}

/** Measures the reading of evidence, which takes nearly all of an examination. Returns null if it failed. */
const measuredIn =
  ({ clock, instruments }: ChecksContext, log: Pick<Log, 'warn'>) =>
  async <Found>(
    ref: VerificationRef,
    examiner: Examiner,
    examine: () => Promise<Found>,
  ): Promise<Found | null> => {
    const startedMs = clock.monotonicMs();
    const record = (outcome: 'made' | 'failed') =>
      instruments.checksDuration.record((clock.monotonicMs() - startedMs) / 1_000, { outcome, examiner });
    const found = await attemptedIn(log)(ref, examiner, examine);
    record(found === null ? 'failed' : 'made');
    return found;
  };

/** Returns null if the examination failed, which says nothing about the evidence. */
const attemptedIn =
  (log: Pick<Log, 'warn'>) =>
  async <Found>(
    ref: VerificationRef,
    examiner: Examiner,
    examine: () => Promise<Found>,
  ): Promise<Found | null> => {
    try {
      return await examine();
    } catch (error) {
      log.warn({ verification: ref.verificationId, err: error }, failures[examiner]);
      return null;
    }
  };
