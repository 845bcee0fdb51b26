import { limits } from '#contract/limits.ts';
import { type Expiring, expiring, type PurgeInput } from '#contract/workflows.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** The time for which every kind of data is kept, in milliseconds (decision 21). */
export const keptMs: Readonly<Record<Expiring, number>> = {
  claims: limits.idempotencyRetentionHours * hour,
  request_log: limits.requestLogRetentionDays * day,
  event_bodies: limits.eventBodyRetentionDays * day,
  response_excerpts: limits.eventBodyRetentionDays * day,
  evidence: limits.evidenceRetentionDays * day,
  requests: limits.requestRetentionDays * day,
};

/** Rows that are older than the returned moment have expired. */
export const keptSince = (what: Expiring, now: Date): Date =>
  startOf(what, new Date(now.getTime() - keptMs[what]));

/** For how long a row of this time has been past its time. Negative if it has not expired. */
export const overdueMs = (what: Expiring, at: Date, now: Date): number =>
  now.getTime() - keptMs[what] - startOf(what, at).getTime() - (what === 'request_log' ? day : 0);

/** The request log expires by whole days (UTC). */
const startOf = (what: Expiring, at: Date): Date =>
  what === 'request_log' ? new Date(Math.floor(at.getTime() / day) * day) : at;

/** Batches are small, because requests wait while a transaction locks their rows. Pictures are large. */
const rowsMax = (what: Expiring) => (what === 'evidence' ? 25 : 1_000);

export const purges: readonly PurgeInput[] = expiring.map((what) => ({
  ...{ what, rowsMax: rowsMax(what) },
  ...{ batchesMax: 200, rows: 0 },
}));
