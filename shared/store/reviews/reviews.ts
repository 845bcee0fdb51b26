import { sql } from 'kysely';
import type { Decision } from '#contract/workflows.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

/** Rows whose verdict a person still has to decide. The text is that of the index `verifications_to_review`. */
export const inQueue = sql<boolean>`(status = 'completed' and erased_at is null and verdict ->> 'reviewed' = 'false'
  and (verdict ->> 'outcome' = 'review' or reopened_at is not null))`;

export const queuedAt = sql<Date>`coalesce(reopened_at, completed_at)`;

/** What a person decides of one verification, and the verdict of it. */
export const reviewsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const own = db
    .selectFrom('verifications')
    .where('id', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  const change = db
    .updateTable('verifications')
    .where('id', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  return {
    /** The verdict to review, and whether a person still has to decide. Undefined if there is no such verification. */
    subject: () =>
      own
        .select(['method', 'verdict', 'erasedAt', 'completedAt', queuedAt.as('queuedAt')])
        .select(sql<boolean>`coalesce(${inQueue}, false)`.as('isInQueue'))
        .executeTakeFirst(),

    /** Builds the write that replaces the verdict. */
    replaceVerdict: (verdict: Decision) => change.set({ verdict }).where('status', '=', 'completed'),

    /** Builds the write that puts a verification into the queue that a machine rejected. */
    reopen: (at: Date) => change.set({ reopenedAt: at }),
  };
};
