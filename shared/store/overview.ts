import { sql } from 'kysely';
import type { Db } from './database/connection.ts';

/** What an operator sees of an organisation. */
export type OrganisationAtWork = {
  id: string;
  name: string;
  paused: boolean;
  /** Active endpoints, and those of them that are paused. */
  endpoints: number;
  pausedEndpoints: number;
  /** Deliveries that are due now. */
  due: number;
  /** Deliveries in the queues of its active endpoints. */
  queued: number;
};

/**
 * At most `limit` organisations by name, after the name `after`. Of all due deliveries, the `countedMax` oldest are counted, and of the
 * queued ones of each endpoint so many.
 */
export async function organisationsAtWorkOfAnyOrganisation(
  db: Db,
  { after, limit, countedMax }: { after: string; limit: number; countedMax: number },
): Promise<OrganisationAtWork[]> {
  const { rows } = await sql<OrganisationAtWork>`
    with due as (
      select org_id, count(*)::int as count from (
        select org_id from deliveries
        where status in ('pending', 'retrying') and next_attempt_at <= now() order by next_attempt_at limit ${countedMax}
      ) as counted group by org_id)
    select organisations.id, name, paused, coalesce(due.count, 0) as due, active.queued, active.endpoints,
      active.paused_endpoints as "pausedEndpoints"
    from organisations
    left join due on due.org_id = organisations.id
    cross join lateral (
      select count(*)::int as endpoints, count(paused_at)::int as paused_endpoints, coalesce(sum(queue.count), 0)::int as queued
      from webhook_endpoints cross join lateral (
        select count(*) as count from (
          select from deliveries where endpoint_id = webhook_endpoints.id and queued_at is not null limit ${countedMax}
        ) as counted
      ) as queue
      where org_id = organisations.id and active is true
    ) as active
    where name > ${after} order by name limit ${limit}`.execute(db);
  return rows;
}
