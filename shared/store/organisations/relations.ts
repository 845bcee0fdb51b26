import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { countRows, transactionTime } from '../database/statements.ts';

/** The business relationships that the verifications of an organisation belong to. */
export const relationsOf = ({ orgId, environment }: OrgScope, db: Db) => ({
  /** Prevents other changes to the verification until the transaction ends. */
  lock: (id: string) =>
    db
      .selectFrom('verifications')
      .select(['completedAt', 'relationEndedAt', 'relationContinues', transactionTime])
      .where('id', '=', id)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .forNoKeyUpdate()
      .executeTakeFirst(),

  /** Builds the write that notes the end. Null means that the relationship goes on. */
  report: (id: string, endedAt: Date | null) =>
    db
      .updateTable('verifications')
      .set({ relationEndedAt: endedAt, relationContinues: endedAt === null })
      .where('id', '=', id)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment),

  /** The ids of the completed verifications with this reference of the partner, the oldest first. */
  async completedWith(reference: string): Promise<string[]> {
    const rows = await db
      .selectFrom('verifications')
      .select('id')
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('reference', '=', reference)
      .where('completedAt', 'is not', null)
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  },
});

/** The time from which the years of a completed verification count. */
const countedFrom = sql<Date>`coalesce(relation_ended_at, completed_at)`;

/** Verifications whose years count from a time before `before`. They are in an index of their own. */
const keptFromBefore = (db: Db, before: Date) =>
  db
    .selectFrom('verifications')
    .where('completedAt', 'is not', null)
    .where('relationContinues', 'is', false)
    .where(countedFrom, '<', before);

type Removals = {
  before: Date;
  /** Null for all organisations. */
  orgId: string | null;
  after: { at: Date; id: string };
  limit: number;
};

/** The verifications of live that are removed next, in the order of their removal. */
export const removalsAheadOfAnyOrganisation = (db: Db, { before, orgId, after, limit }: Removals) =>
  keptFromBefore(db, before)
    .innerJoin('organisations', 'organisations.id', 'verifications.orgId')
    .select(['verifications.id', 'verifications.reference', 'verifications.relationEndedAt'])
    .select(['organisations.name as organisation', countedFrom.as('countedFrom')])
    .where('environment', '=', 'live')
    .$if(orgId !== null, (query) => query.where('orgId', '=', orgId))
    .where(
      sql<boolean>`(coalesce(relation_ended_at, completed_at), verifications.id) > (${after.at}, ${after.id})`,
    )
    .orderBy(countedFrom)
    .orderBy('verifications.id')
    .limit(limit)
    .execute();

/**
 * Counts the live verifications that were completed before `before` and whose relationship nobody reported, so that their years run from the
 * completion. The count ends at `upTo`.
 */
export const countUnreportedOfAnyOrganisation = (
  db: Db,
  { before, upTo }: { before: Date; upTo: number },
): Promise<number> =>
  countRows(
    db,
    keptFromBefore(db, before)
      .select('id')
      .where('environment', '=', 'live')
      .where('relationEndedAt', 'is', null)
      .orderBy(countedFrom)
      .limit(upTo),
  );

/**
 * Counts the same for one organisation, and says when the first of them was completed. The count ends at `upTo`. It reads the part of an
 * index that belongs to the organisation.
 */
export async function countUnreported(
  { orgId }: OrgScope,
  db: Db,
  { before, upTo }: { before: Date; upTo: number },
): Promise<{ verifications: number; earliest: Date | null }> {
  const { rows } = await sql<{ verifications: number; earliest: Date | null }>`
    select count(*)::int as verifications, min(completed_at) as earliest from (
      select completed_at from verifications
      where org_id = ${orgId} and environment = 'live' and status = 'completed' and completed_at < ${before}
        and relation_ended_at is null and relation_continues is false
      order by completed_at limit ${upTo}
    ) as unreported`.execute(db);
  return rows[0] ?? { verifications: 0, earliest: null };
}

type RemovalWarning = {
  orgId: string;
  verifications: number;
  earliest: Date | null;
};

/**
 * Notes that organisations are warned of the removal of what they completed before `until`: at most `limit` of those that were not. Returns
 * for each how many verifications that are which it was not warned of before, and the earliest completion. `verifications` can be 0.
 * Two calls at the same time never return the same verification.
 */
export async function noteRemovalWarningsOfAnyOrganisation(
  db: Db,
  { until, limit }: { until: Date; limit: number },
): Promise<RemovalWarning[]> {
  const { rows } = await sql<RemovalWarning>`
    with ahead as (
      select warned.id, warned.removals_warned_until as warned_until, unreported.*
      from (
        select id, removals_warned_until from organisations
        where coalesce(removals_warned_until, '-infinity') < ${until} order by id limit ${limit}
      ) as warned cross join lateral (
        select count(*)::int as verifications, min(completed_at) as earliest from verifications
        where org_id = warned.id and environment = 'live' and status = 'completed'
          and completed_at >= coalesce(warned.removals_warned_until, '-infinity') and completed_at < ${until}
          and relation_ended_at is null and relation_continues is false
      ) as unreported
    )
    update organisations set removals_warned_until = ${until} from ahead
    where organisations.id = ahead.id and organisations.removals_warned_until is not distinct from ahead.warned_until
    returning organisations.id as "orgId", verifications, earliest`.execute(db);
  return rows;
}
