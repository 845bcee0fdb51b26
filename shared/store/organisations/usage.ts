import { type RawBuilder, sql } from 'kysely';
import type { Db, Store } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

export type ChargedMonth = {
  organisationId: string;
  organisation: string;
  /** The month in UTC, for example 2026-11. */
  month: string;
  verifications: number;
};

export type ChargedPeriod = { organisationId?: string | undefined; from: Date; before: Date };

/**
 * Counts completed live verifications and income checks by the month of their completion, also those that were removed since. Sandbox verifications are
 * never charged (specification 1). The period begins and ends with a month.
 */
export async function countCharged(
  { db }: Store,
  { organisationId, from, before }: ChargedPeriod,
): Promise<ChargedMonth[]> {
  const ofOrganisation = organisationId === undefined ? sql`` : sql`and org_id = ${organisationId}`;
  const { rows } = await sql<ChargedMonth>`
    select organisations.id as "organisationId", organisations.name as organisation, month,
      sum(counted.verifications)::integer as verifications
    from (
      select org_id, ${monthOf(sql`completed_at`)} as month, count(*) as verifications from verifications
      where environment = 'live' and status = 'completed' and completed_at >= ${from} and completed_at < ${before} ${ofOrganisation}
      group by 1, 2
      union all
      select org_id, ${monthOf(sql`month`)}, verifications from removed_usage
      where month >= ${from} and month < ${before} ${ofOrganisation}
    ) as counted join organisations on organisations.id = counted.org_id
    group by 1, 2, 3 order by 3, 2`.execute(db);
  return rows;
}

type Period = { from: Date; before: Date };

/**
 * Counts the completed live verifications and income checks of an organisation in each of these periods, in their order, also those that were removed
 * since. Each period begins and ends with a month. Each count reads its part of an index. To group all rows by the text of their month
 * takes several times as long.
 */
export async function countChargedIn(
  { orgId }: OrgScope,
  db: Db,
  periods: readonly Period[],
): Promise<number[]> {
  const { rows } = await sql<{ verifications: number }>`
    select (
      select count(*)::integer from verifications
      where org_id = ${orgId} and environment = 'live' and status = 'completed'
        and completed_at >= period.begins and completed_at < period.ends) + (
      select coalesce(sum(verifications), 0)::integer from removed_usage
      where org_id = ${orgId} and month >= period.begins and month < period.ends) as verifications
    from unnest(
      ${periods.map(({ from }) => from)}::timestamptz[],
      ${periods.map(({ before }) => before)}::timestamptz[]) with ordinality as period (begins, ends, place)
    order by place`.execute(db);
  return rows.map(({ verifications }) => verifications);
}

/**
 * Deletes these verifications, and adds those that were charged to the totals of their months. It is one statement, so each row is
 * counted once: by itself, or in its total. The totals are locked in one order, so two batches cannot block each other.
 */
export const deleteAndCount = (tx: Db, ids: readonly string[]) =>
  sql`
  with removed as (
    delete from verifications where id = any(${ids}::uuid[]) returning org_id, environment, status, completed_at
  )
  insert into removed_usage (org_id, month, verifications)
  select org_id, date_trunc('month', completed_at, 'UTC'), count(*) from removed
  where environment = 'live' and status = 'completed' and completed_at is not null
  group by 1, 2 order by 1, 2
  on conflict (org_id, month) do update
  set verifications = removed_usage.verifications + excluded.verifications`.execute(tx);

const monthOf = (at: RawBuilder<unknown>): RawBuilder<string> =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM')`;
