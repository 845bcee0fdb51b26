import type { Check, FoundChecks, RunChecks } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import type { Examiner } from '#policy/methods/method.ts';
import type { Context } from '#services/context.ts';
import { documentPictures, examinerOf } from '#services/flow/evidence.ts';
import type { DocumentReader } from './checks/port.ts';

/** Rejects if the examination failed. A rejection says nothing about the evidence. */
type Examination = () => Promise<Check[]>;

/**
 * Lets the examiner of the method examine a live submission. The result never contains the text that was read. If the database is
 * lost, the activity fails and is retried without limit. If the examination fails, the activity returns null, because an
 * examination is repeated only a few times.
 */
export function createChecks(
  ctx: Pick<Context, 'store' | 'secrets' | 'clock' | 'instruments'>,
  documents: DocumentReader,
  log: Log,
) {
  /** An examiner loads the evidence of the submission. The result is undefined if the evidence was deleted. */
  const examiners: Record<Examiner, (order: RunChecks) => Promise<Examination | undefined>> = {
    document: async (order) => {
      const pictures = await documentPictures(ctx, order);
      return pictures && (() => documents.check(pictures, ctx.clock.now()));
    },
  };

  const measured = async (order: RunChecks, examination: Examination): Promise<FoundChecks> => {
    const startedMs = ctx.clock.monotonicMs();
    const record = (outcome: 'made' | 'failed') =>
      ctx.instruments.checksDuration.record((ctx.clock.monotonicMs() - startedMs) / 1_000, { outcome });
    try {
      const checks = await examination();
      record('made');
      return checks;
    } catch (error) {
      record('failed');
      log.warn({ verification: order.verificationId, err: error }, 'a document could not be examined');
      return null;
    }
  };

  return async (order: RunChecks): Promise<FoundChecks> => {
    const examiner = await examinerOf(ctx, order);
    const examination = examiner && (await examiners[examiner](order));
    return examination ? measured(order, examination) : [];
  };
}
