import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import { completes } from '../ledger.ts';
import { deleteAndCount } from '../organisations/usage.ts';

/** Whole verifications are removed, which leaves a line in the ledger. */
export type Removed = 'abandoned_verifications' | 'completed_verifications';

const relationEnd = sql<Date>`coalesce(relation_ended_at, completed_at)`;

/** Verifications of all organisations whose time is over by their rows, the oldest first. Each query has its own index. */
export const expiredByRow = {
  abandoned_verifications: (db: Db, before: Date) =>
    db
      .selectFrom('verifications')
      .where('status', '<>', 'completed')
      .where('linkExpiresAt', '<', before)
      .orderBy('linkExpiresAt'),

  /** The years count from the end of the relationship. Without a report they count from the completion. */
  completed_verifications: (db: Db, before: Date) =>
    db
      .selectFrom('verifications')
      .where('completedAt', 'is not', null)
      .where('relationContinues', 'is', false)
      .where(relationEnd, '<', before)
      .orderBy(relationEnd),
};

const chain = sql`ledger where subject_id = verifications.id`;

/**
 * True if the chain says too that the time is over. The product can change the row and no line. So somebody who took over its role cannot
 * have a chain removed by another time or another status in the row. A line that is added with a time of long ago changes nothing, because
 * the newest line counts. In this form Postgres cannot use a join.
 */
export const overByLedger = {
  /** The link ends after the newest line that gave it its end. */
  abandoned_verifications: (before: Date) => sql<boolean>`coalesce((
    select not bool_or(${completes}) and max(created_at) filter (
      where type in ('verification.created', 'verification.started', 'verification.link_renewed')) < ${before}
    from ${chain}), false)`,

  /** A relationship ends after the completion. */
  completed_verifications: (before: Date) => sql<boolean>`(coalesce((
    select bool_or(${completes}) and max(created_at) filter (
      where type in ('verification.created', 'verification.completed')) < ${before}
    from ${chain}), false)
    and coalesce((
      select type = 'relation.ended' and coalesce(data ->> 'ended_on' <= to_char(
        ${before}::timestamptz at time zone 'UTC' - interval '1 day', 'YYYY-MM-DD'), false)
      from ${chain} and type in ('relation.ended', 'relation.continues') order by sequence desc limit 1), true))`,
};

/** Returns verifications that are not removed, because their row alone says that their time is over. */
export const heldBack = async (db: Db, what: Removed, before: Date, limit: number): Promise<string[]> => {
  const held = await expiredByRow[what](db, before)
    .select('id')
    .where(sql<boolean>`${overByLedger[what](before)} is false`)
    .limit(limit)
    .execute();
  return held.map(({ id }) => id);
};

/**
 * Deletes verifications with what belongs to them. Of their chains, only the line of the removal is left. Events and deliveries stay,
 * but no longer name the verification. Their bodies were purged before.
 */
export async function deleteVerifications(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('evidence').where('verificationId', 'in', ids).execute();
  await tx.deleteFrom('requests').where('id', 'in', ids).execute();
  await tx.deleteFrom('data_keys').where('verificationId', 'in', ids).execute();
  await tx.deleteFrom('ledger_personal').where('subjectId', 'in', ids).execute();
  await tx
    .deleteFrom('ledger')
    .where('subjectId', 'in', ids)
    .where('type', '<>', 'verification.removed')
    .execute();
  await deleteAndCount(tx, ids);
}
