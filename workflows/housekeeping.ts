import type { Expiring, HousekeepingInput, HousekeepingResult } from '#contract/workflows.ts';
import { purgeExpired } from './activities.ts';

/**
 * Purges expired rows in batches, one kind after the other (decision 21). A schedule starts the workflow every hour. The next run
 * purges the rows that this run does not reach.
 */
export async function housekeeping({ what, ...bounds }: HousekeepingInput): Promise<HousekeepingResult> {
  const purged: HousekeepingResult = {};
  for (const kind of what) {
    const batchSize = bounds.batchSizes?.[kind] ?? bounds.batchSize;
    purged[kind] = await purgeAll(kind, { batchSize, batchesMax: bounds.batchesMax });
  }
  return purged;
}

/** A batch that is not full shows that nothing more can be purged now. Locked rows are skipped and wait for the next run. */
async function purgeAll(
  what: Expiring,
  bounds: Pick<HousekeepingInput, 'batchSize' | 'batchesMax'>,
): Promise<number> {
  let purged = 0;
  for (let batch = 1; batch <= bounds.batchesMax; batch++) {
    const { rows } = await purgeExpired({ what, rowsMax: bounds.batchSize });
    purged += rows;
    if (rows < bounds.batchSize) break;
  }
  return purged;
}
