import { limits } from '#contract/limits.ts';
import { type Expiring, expiring, type HousekeepingInput } from '#contract/workflows.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The time for which every kind of data is kept, in milliseconds (decision 21). */
export const keptMs: Readonly<Record<Expiring, number>> = {
  claims: limits.idempotencyRetentionHours * hour,
  request_log: limits.requestLogRetentionDays * day,
  event_bodies: limits.eventBodyRetentionDays * day,
  response_excerpts: limits.eventBodyRetentionDays * day,
  evidence: limits.evidenceRetentionDays * day,
};

/** Rows that are older than the returned moment have expired. */
export const keptSince = (what: Expiring, now: Date): Date => new Date(now.getTime() - keptMs[what]);

/**
 * Batches are small, because requests wait while a transaction locks their rows. One run purges at most half a million rows of a
 * kind.
 */
export const housekeepingInput: HousekeepingInput = {
  what: expiring,
  batchSize: 1_000,
  batchSizes: { evidence: 25 },
  batchesMax: 500,
};
