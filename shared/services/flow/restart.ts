import { findUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { firstPlace, inBatches } from '../lists/in-batches.ts';
import { workflowInput } from '../verifications/workflow-input.ts';

const overdueMs = 120_000;
const batchSize = 100;

/**
 * Starts the workflow again for each verification that was submitted over two minutes ago and has no verdict (decision 36).
 * Returns the number of these verifications. A workflow that is still running is not changed, for example while it waits for its
 * checks.
 */
export async function restartLostSubmissions(
  ctx: Pick<Context, 'store' | 'temporal' | 'clock'>,
): Promise<number> {
  const submittedBefore = new Date(ctx.clock.now().getTime() - overdueMs);
  const batches = inBatches(
    firstPlace,
    batchSize,
    (after, limit) =>
      findUnsettledSubmissionsOfAnyOrganisation(ctx.store.db, { after, submittedBefore, limit }),
    ({ submittedAt: at, id }) => ({ at, id }),
  );
  let overdue = 0;
  for await (const batch of batches) {
    for (const row of batch) await ctx.temporal.resumeVerification(workflowInput(row));
    overdue += batch.length;
  }
  return overdue;
}
