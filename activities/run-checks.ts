import type { Check, Examined, VerificationRef } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import type { Examiner } from '#policy/methods/method.ts';
import type { Context } from '#services/context.ts';
import { documentPictures } from '#services/flow/evidence.ts';
import { dueExamination, recordExamination } from '#services/flow/examinations.ts';
import { engines } from './checks/engines.ts';
import type { DocumentReader } from './checks/port.ts';

/** Rejects if the examination failed. A rejection says nothing about the evidence. */
type Examination = () => Promise<Check[]>;

/**
 * Lets the examiner of the method examine a live submission, and stores the checks, never the text that was read. If the database
 * is lost, the activity fails and is retried without limit. A failed examination is stored too, because an examination is repeated
 * only a few times.
 */
export function createChecks(
  ctx: Pick<Context, 'store' | 'secrets' | 'clock' | 'instruments'>,
  documents: DocumentReader,
  log: Log,
) {
  /** An examiner loads the evidence of the submission. The result is undefined if the evidence was deleted. */
  const examiners: Record<Examiner, (ref: VerificationRef) => Promise<Examination | undefined>> = {
    document: async (ref) => {
      const pictures = await documentPictures(ctx, ref);
      return pictures && (() => documents.check(pictures, ctx.clock.now()));
    },
  };

  const measured = async (ref: VerificationRef, examination: Examination): Promise<Check[] | null> => {
    const startedMs = ctx.clock.monotonicMs();
    const record = (outcome: 'made' | 'failed') =>
      ctx.instruments.checksDuration.record((ctx.clock.monotonicMs() - startedMs) / 1_000, { outcome });
    try {
      const checks = await examination();
      record('made');
      return checks;
    } catch (error) {
      record('failed');
      log.warn({ verification: ref.verificationId, err: error }, 'a document could not be examined');
      return null;
    }
  };

  return async (ref: VerificationRef): Promise<Examined> => {
    const due = await dueExamination(ctx, ref);
    if (due === undefined) return { examined: true };
    const examination = due.examiner && (await examiners[due.examiner](ref));
    if (!due.examiner || !examination) return recordExamination(ctx, ref, [], null);
    return recordExamination(ctx, ref, await measured(ref, examination), engines[due.examiner]);
  };
}
