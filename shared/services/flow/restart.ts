import { findUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { forEachAtOnce } from '../lists/at-once.ts';
import { firstPlace } from '../lists/in-batches.ts';
import { inPasses, type Sweep } from '../lists/in-passes.ts';

const overdueMs = 120_000;
const batchSize = 100;
const rowsMax = 1_000;
const restartsAtOnce = 5;

/**
 * Returns a sweep of submissions: it starts the workflow again for each verification that was submitted over two minutes ago and has
 * no verdict (decision 36). A workflow that is at work is not changed, for example while it waits for its checks. One that sleeps
 * looks at its row again.
 */
export function createSubmissionSweep(ctx: Pick<Context, 'store' | 'temporal' | 'clock'>): Sweep {
  const pass = inPasses({
    first: firstPlace,
    rowsMax,
    batchSize,
    find: (after, limit) => {
      const submittedBefore = new Date(ctx.clock.now().getTime() - overdueMs);
      return findUnsettledSubmissionsOfAnyOrganisation(ctx.store.db, { after, submittedBefore, limit });
    },
    placeOf: ({ submittedAt: at, id }) => ({ at, id }),
  });
  return async (signal) => {
    const swept = { found: 0, failed: 0 };
    for await (const batch of pass()) {
      if (signal.aborted) break;
      swept.found += batch.length;
      swept.failed += await forEachAtOnce(batch, { atOnce: restartsAtOnce, signal }, ({ id, ...row }) =>
        ctx.temporal.resumeVerification({ verificationId: id, ...row }),
      );
    }
    return swept;
  };
}
