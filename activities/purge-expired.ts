import type { PurgedBatch, PurgeExpired } from '#contract/workflows.ts';
import type { Log } from '#platform/log.ts';
import type { Context } from '#services/context.ts';
import { purgeExpired } from '#services/retention/purge.ts';

/** Purges one batch. Verifications that stay because somebody edited their rows are counted in the log, each hour anew. */
export const createPurge =
  (ctx: Pick<Context, 'store' | 'clock'>, log: Pick<Log, 'error'>) =>
  async (order: PurgeExpired): Promise<PurgedBatch> => {
    const { rows, held = [] } = await purgeExpired(ctx, order);
    if (held.length > 0)
      log.error(
        { what: order.what, verifications: held.length, first: held[0] },
        'verifications stay, because the ledger does not say that their time is over; npm run inspect names them',
      );
    return { rows };
  };
