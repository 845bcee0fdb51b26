import type { Expiring, HousekeepingInput, HousekeepingResult } from '#contract/workflows.ts';
import { purgeExpired } from './activities.ts';

/**
 * Purges expired rows, kind after kind, batch after batch (decision 21). A schedule starts it every hour; the next run purges
 * what this run does not reach.
 */
export async function housekeeping({ what, ...bounds }: HousekeepingInput): Promise<HousekeepingResult> {
  const purged: HousekeepingResult = {};
  for (const kind of what) {
    const batchSize = bounds.batchSizes?.[kind] ?? bounds.batchSize;
    purged[kind] = await purgeAll(kind, { batchSize, batchesMax: bounds.batchesMax });
  }
  return purged;
}

/** A batch that is not full was the last one. */
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
