import type { PurgedBatch, PurgeExpired } from '#contract/workflows.ts';
import { keptSince } from '#policy/retention.ts';
import { purge } from '#store/retention.ts';
import type { Context } from '../context.ts';

/** Purges a batch of what is past its time, in one transaction (decision 21). Repeating it purges the next one. */
export async function purgeExpired(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { what, rowsMax }: PurgeExpired,
): Promise<PurgedBatch> {
  return { rows: await purge[what](store, { before: keptSince(what, clock.now()), rowsMax }) };
}
