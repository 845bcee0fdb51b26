import { continueAsNew } from '@temporalio/workflow';
import type { PurgeInput, PurgeResult } from '#contract/workflows.ts';
import { purgeExpired } from './activities.ts';

/** Purges the expired rows of one kind, until none is left (decision 21). Locked rows are skipped and wait for the next hour. */
export async function purge(input: PurgeInput): Promise<PurgeResult> {
  const { what, rowsMax, batchesMax } = input;
  let purged = input.rows;
  for (let batch = 1; batch <= batchesMax; batch++) {
    const { rows } = await purgeExpired({ what, rowsMax });
    purged += rows;
    if (rows < rowsMax) return { rows: purged };
  }
  return continueAsNew<typeof purge>({ ...input, rows: purged });
}
