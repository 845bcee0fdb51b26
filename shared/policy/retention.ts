import { limits } from '#contract/limits.ts';
import { dayMs, hourMs } from '#contract/time.ts';
import { type Expiring, expiring, type PurgeInput } from '#contract/workflows.ts';

/** The time for which every kind of data is kept, in milliseconds (decision 21). */
export const keptMs: Readonly<Record<Expiring, number>> = {
  claims: limits.idempotencyRetentionHours * hourMs,
  /** From the end of the overlap. */
  webhook_secrets: 0,
  request_log: limits.requestLogRetentionDays * dayMs,
  event_bodies: limits.eventBodyRetentionDays * dayMs,
  response_excerpts: limits.eventBodyRetentionDays * dayMs,
  /** From the end that each picture has: `evidenceEndsAt`, or the end of the link before Send. */
  evidence: 0,
  requests: limits.requestRetentionDays * dayMs,
  /** From the end of the link. */
  abandoned_verifications: limits.abandonedRetentionDays * dayMs,
  completed_verifications: limits.verificationRetentionDays * dayMs,
};

/** The end of pictures that were sent at this time. `days` is the setting `evidence_days` of the organisation. */
export const evidenceEndsAt = (submittedAt: Date, days: number): Date =>
  new Date(submittedAt.getTime() + days * dayMs);

/** For how long the data of an end user are kept, for the page that asks for the consent. */
export const keptForEndUsers = (pictureDays: number) => ({
  pictureDays,
  unfinishedDays: keptMs.abandoned_verifications / dayMs,
  resultYears: Math.floor(keptMs.completed_verifications / (365 * dayMs)),
});

/** A link of the shortest life ends so long after its verification was created. */
const linkLifetimeMsMin = Math.min(
  limits.linkLifetimeDays * dayMs,
  limits.linkLifetimeHoursAfterStart * hourMs,
);

/** No verification is removed sooner after it was created, for each reason of a removal. */
export const verificationKeptMsMin: ReadonlyMap<unknown, number> = new Map<Expiring, number>([
  ['abandoned_verifications', linkLifetimeMsMin + keptMs.abandoned_verifications],
  ['completed_verifications', keptMs.completed_verifications],
]);

/** Rows that are older than the returned moment have expired. */
export const keptSince = (what: Expiring, now: Date): Date =>
  startOf(what, new Date(now.getTime() - keptMs[what]));

/** How long ago a row of this time expired, in milliseconds. Negative if it has not expired. */
export const overdueMs = (what: Expiring, at: Date, now: Date): number =>
  now.getTime() - keptMs[what] - startOf(what, at).getTime() - (what === 'request_log' ? dayMs : 0);

/** The request log expires by whole days (UTC). */
const startOf = (what: Expiring, at: Date): Date =>
  what === 'request_log' ? new Date(Math.floor(at.getTime() / dayMs) * dayMs) : at;

/** Batches are small, because requests wait while a transaction locks their rows. Some rows are large, or bring many others. */
const rowsMaxOf: Partial<Record<Expiring, number>> = {
  evidence: 25,
  abandoned_verifications: 100,
  completed_verifications: 100,
};

export const purges: readonly PurgeInput[] = expiring.map((what) => ({
  ...{ what, rowsMax: rowsMaxOf[what] ?? 1_000 },
  ...{ batchesMax: 200, rows: 0 },
}));
