import { type Expiring, expiring } from '#contract/workflows.ts';
import { keptSince, overdueMs } from '#policy/retention.ts';
import { lastPurges, oldestExpired } from '#store/keeping/retention.ts';
import type { Context } from '../context.ts';

export type PurgeState = {
  what: Expiring;
  /** How long the oldest row has been past its time. 0 if no row is. */
  overdueMs: number;
  /** The last time at which no row was left to purge. Undefined if that was never so. */
  doneAt: Date | undefined;
};

/** Says how far the purge of each kind is behind. */
export async function purgeStates({
  store: { db },
  clock,
}: Pick<Context, 'store' | 'clock'>): Promise<PurgeState[]> {
  const doneAt = new Map((await lastPurges(db)).map(({ what, doneAt }) => [what, doneAt]));
  const states: PurgeState[] = [];
  for (const what of expiring) {
    const now = clock.now();
    const oldest = await oldestExpired(db, what, keptSince(what, now));
    states.push({
      what,
      overdueMs: oldest === undefined ? 0 : overdueMs(what, oldest, now),
      doneAt: doneAt.get(what),
    });
  }
  return states;
}
