import { limits } from '#contract/limits.ts';
import { type Expiring, expiring, type HousekeepingInput } from '#contract/workflows.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** Milliseconds that each kind is kept for (decision 21): the one table of what is not kept for ever. */
export const keptMs: Readonly<Record<Expiring, number>> = {
  claims: limits.idempotencyRetentionHours * hour,
  request_log: limits.requestLogRetentionDays * day,
  event_bodies: limits.eventBodyRetentionDays * day,
  response_excerpts: limits.eventBodyRetentionDays * day,
  evidence: limits.evidenceRetentionDays * day,
};

/** What is older than this moment is past its time. */
export const keptSince = (what: Expiring, now: Date): Date => new Date(now.getTime() - keptMs[what]);

/** Small transactions, since people wait for the same rows; at most half a million rows of a kind in a run. */
export const housekeepingInput: HousekeepingInput = {
  what: expiring,
  batchSize: 1_000,
  batchSizes: { evidence: 25 },
  batchesMax: 500,
};
