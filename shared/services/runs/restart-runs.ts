import type { VerificationStart } from '#platform/temporal/starts.ts';
import type { Db } from '#store/database/connection.ts';
import type { Context } from '../context.ts';
import { forEachAtOnce } from '../portions/at-once.ts';
import { firstPlace } from '../portions/in-batches.ts';
import { inPasses, type Sweep } from '../portions/in-passes.ts';

/** How often the runs are swept. */
export const sweepRunsEveryMs = 30_000;
/** With the wait for the next sweep, a lost run goes on within two minutes. */
const overdueMs = 75_000;

/** What a run should have taken up before this time is overdue. The run was lost or never started, or no worker ran. */
export const runOverdueBefore = ({ clock }: Pick<Context, 'clock'>): Date =>
  new Date(clock.now().getTime() - overdueMs);

const batchSize = 100;
const rowsMax = 1_000;
const restartsAtOnce = 5;

/** A verification whose run may be lost, and its place in the list. */
export type Overdue = { place: { at: Date; id: string }; run: VerificationStart };

type Page = { after: { at: Date; id: string }; before: Date; limit: number };

/**
 * Returns a sweep that starts the runs again of verifications that have waited for too long (decision 36). `find` lists those
 * whose wait began before `before`. A run that is at work is not changed, for example while it waits for its checks. One that sleeps is
 * replaced: it does not know what is due. The run reads the rows, so it needs no order.
 */
export function createRunSweep(
  ctx: Pick<Context, 'store' | 'temporal' | 'clock'>,
  find: (db: Db, page: Page) => Promise<Overdue[]>,
): Sweep {
  const pass = inPasses({
    ...{ first: firstPlace, rowsMax, batchSize },
    find: (after, limit) => find(ctx.store.db, { after, before: runOverdueBefore(ctx), limit }),
    placeOf: ({ place }) => place,
  });
  return async (signal) => {
    const swept = { found: 0, failed: 0 };
    for await (const batch of pass()) {
      if (signal.aborted) break;
      swept.found += batch.length;
      swept.failed += await forEachAtOnce(batch, { atOnce: restartsAtOnce, signal }, ({ run }) =>
        ctx.temporal.restartVerification(run),
      );
    }
    return swept;
  };
}
