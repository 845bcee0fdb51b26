import type { FoundChecks, RunChecks } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import { checksInDoubt } from '#policy/decide.ts';
import type { Context } from '#services/context.ts';
import { documentPictures } from '#services/flow/evidence.ts';
import type { DocumentReader } from './checks/port.ts';

/**
 * What the machine can say of a person's document. What it read stays in the document reader; only results come out. Its own failures
 * are a result as well, since they are tried again but a few times; a lost database fails the activity.
 */
export const createChecks =
  (ctx: Pick<Context, 'store' | 'secrets' | 'clock' | 'instruments'>, documents: DocumentReader, log: Log) =>
  async (order: RunChecks): Promise<FoundChecks> => {
    const pictures = await documentPictures(ctx, order);
    if (pictures === undefined) return checksInDoubt;
    const startedMs = ctx.clock.monotonicMs();
    const took = (outcome: 'made' | 'failed') =>
      ctx.instruments.checksDuration.record((ctx.clock.monotonicMs() - startedMs) / 1_000, { outcome });
    try {
      const checks = await documents.check(pictures, ctx.clock.now());
      took('made');
      return checks;
    } catch (error) {
      took('failed');
      log.warn({ verification: order.verificationId, err: error }, 'a document could not be examined');
      return null;
    }
  };
