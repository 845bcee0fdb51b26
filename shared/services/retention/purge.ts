import type { PurgedBatch, PurgeExpired } from '#contract/workflows.ts';
import { keptSince } from '#policy/retention.ts';
import { purge, recordPurge } from '#store/retention.ts';
import type { Context } from '../context.ts';

/** Purges one batch of expired rows in one transaction (decision 21). The next call purges the next batch. */
export async function purgeExpired(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { what, rowsMax }: PurgeExpired,
): Promise<PurgedBatch> {
  const rows = await purge[what](store, { before: keptSince(what, clock.now()), rowsMax });
  if (rows < rowsMax) await recordPurge(store.db, what);
  return { rows };
}
