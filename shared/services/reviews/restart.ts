import { findDueReviewsOfAnyOrganisation } from '#store/reviews.ts';
import type { Context } from '../context.ts';
import { forEachAtOnce } from '../lists/at-once.ts';
import { firstPlace } from '../lists/in-batches.ts';
import { inPasses, type Sweep } from '../lists/in-passes.ts';

const overdueMs = 120_000;
const batchSize = 100;
const rowsMax = 1_000;
const restartsAtOnce = 5;

/**
 * Returns a sweep of reviewers' decisions: it starts the workflow for each decision that was stored over two minutes ago and not carried
 * out, because its order was lost (decision 36). The run reads the rows, so it needs no order.
 */
export function createReviewSweep(ctx: Pick<Context, 'store' | 'temporal' | 'clock'>): Sweep {
  const pass = inPasses({
    first: firstPlace,
    rowsMax,
    batchSize,
    find: (after, limit) => {
      const storedBefore = new Date(ctx.clock.now().getTime() - overdueMs);
      return findDueReviewsOfAnyOrganisation(ctx.store.db, { after, storedBefore, limit });
    },
    placeOf: ({ createdAt: at, id }) => ({ at, id }),
  });
  return async (signal) => {
    const swept = { found: 0, failed: 0 };
    for await (const batch of pass()) {
      if (signal.aborted) break;
      swept.found += batch.length;
      swept.failed += await forEachAtOnce(batch, { atOnce: restartsAtOnce, signal }, (row) =>
        ctx.temporal.resumeVerification(row),
      );
    }
    return swept;
  };
}
