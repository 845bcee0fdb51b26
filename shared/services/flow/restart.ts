import { findUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { workflowInput } from '../verifications/workflow-input.ts';

const overdueMs = 120_000;
const batchSize = 100;
const firstId = '00000000-0000-0000-0000-000000000000';

/**
 * Restarts the workflow of each verification that was submitted two minutes ago and has no verdict (decision 36), and returns how
 * many there were. A workflow that runs, for example one that waits for its checks, is left alone.
 */
export async function restartLostSubmissions(
  ctx: Pick<Context, 'store' | 'temporal' | 'clock'>,
): Promise<number> {
  const submittedBefore = new Date(ctx.clock.now().getTime() - overdueMs);
  let overdue = 0;
  for (let after = { at: new Date(0), id: firstId }; ; ) {
    const batch = await findUnsettledSubmissionsOfAnyOrganisation(ctx.store.db, {
      after,
      submittedBefore,
      limit: batchSize,
    });
    for (const row of batch) await ctx.temporal.resumeVerification(workflowInput(row));
    overdue += batch.length;
    const last = batch.at(-1);
    if (batch.length < batchSize || last === undefined) return overdue;
    after = { at: last.submittedAt, id: last.id };
  }
}
