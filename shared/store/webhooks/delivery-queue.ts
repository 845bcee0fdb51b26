import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import { compiledOnce, isOfThisTransaction } from '../database/statements.ts';

/**
 * The deliveries whose first attempt waits for its turn. Such a row has `queued_at`, and no workflow. Its due time is far away, so nothing that
 * looks for due deliveries finds it.
 */

export const farAway = sql<Date>`timestamptz '9000-01-01'`;

/**
 * Leaves those of the deliveries that this transaction has written in the queues of their endpoints, and returns them. Claims of first
 * attempts of all of them are removed: nothing was sent for them.
 */
export const queueNewOfAnyOrganisation = (
  tx: Db,
  ids: readonly string[],
): Promise<{ id: string; endpointId: string }[]> => queueEach(tx, { ids });

const queueEach = compiledOnce((db: Db, { ids }: { ids: readonly string[] }) =>
  db
    .with('unclaimed', (query) =>
      query
        .deleteFrom('delivery_attempts')
        .where(sql<boolean>`delivery_id = any(${ids}::uuid[])`)
        .where('number', '=', 1)
        .where('outcome', 'is', null)
        .where(isOfThisTransaction('delivery_attempts')),
    )
    .updateTable('deliveries')
    .set({ queuedAt: sql<Date>`now()`, nextAttemptAt: farAway })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    // One that an earlier transaction has written has a workflow, which asks for its turn.
    .where(isOfThisTransaction('deliveries'))
    .returning(['id', 'endpointId']),
);

type OfQueue = { endpointId: string; limit: number };

/** The oldest deliveries of a queue, if `isSo` is true of its endpoint. Several callers at once get different ones. */
const oldest = (
  { endpointId, from, limit }: OfQueue & { from: Date },
  isSo: RawBuilder<boolean>,
) => sql<string>`array(
  select id from deliveries
  where endpoint_id = ${endpointId} and created_at >= ${from} and queued_at is not null and status = 'pending'
    and exists (select from webhook_endpoints where id = ${endpointId} and ${isSo})
  order by created_at, id limit ${limit}::int for update skip locked)`;

const getsTurns = sql<boolean>`webhook_endpoints.active is true and webhook_endpoints.paused_at is null`;
const isInactive = sql<boolean>`webhook_endpoints.active is false`;

/**
 * Takes up to `limit` deliveries out of a queue, the oldest first, and returns what their workflows need. They are due now, so what is not
 * attempted afterwards is found by the sweep. Takes nothing if the endpoint is paused or not active. Deliveries from before
 * `from` are left out. While a backup runs, the index keeps the entries of those that were taken, and each search would have to pass them.
 */
export const takeFromQueueOfAnyOrganisation = (db: Db, queue: OfQueue & { from: Date }) => take(db, queue);

const take = compiledOnce((db: Db, queue: OfQueue & { from: Date }) =>
  db
    .updateTable('deliveries')
    .set({ queuedAt: null, nextAttemptAt: sql<Date>`now()` })
    .where(sql<boolean>`id = any(${oldest(queue, getsTurns)})`)
    .returning(['id', 'environment', 'createdAt'])
    .returning(
      sql<string | null>`(select verification_id from events where events.id = deliveries.event_id)`.as(
        'verificationId',
      ),
    ),
);

/** Cancels up to `limit` deliveries in the queue of an endpoint that is not active any more. Returns their number. */
export const cancelQueuedOfAnyOrganisation = async (db: Db, queue: OfQueue): Promise<number> =>
  (await cancel(db, { ...queue, from: new Date(0) })).length;

const cancel = compiledOnce((db: Db, queue: OfQueue & { from: Date }) =>
  db
    .updateTable('deliveries')
    .set({ status: 'cancelled', queuedAt: null, nextAttemptAt: null })
    .where(sql<boolean>`id = any(${oldest(queue, isInactive)})`)
    .returning('id'),
);

const firstEndpointId = '00000000-0000-0000-0000-000000000000';

/**
 * The table `queue`: the endpoints with a queue after this one, in order, each with its oldest delivery. Each step finds the next endpoint by the
 * index, whatever the length of its queue.
 */
const queuesAfter = (endpointId: RawBuilder<unknown>) => {
  const first = (after: RawBuilder<unknown>) => sql`
    select endpoint_id, created_at from deliveries
    where queued_at is not null and endpoint_id > ${after} order by endpoint_id, created_at limit 1`;
  return sql`recursive queue (endpoint_id, created_at) as (
    (${first(endpointId)})
    union all
    select next.* from queue cross join lateral (${first(sql`queue.endpoint_id`)}) as next
  )`;
};

/**
 * The age of the oldest delivery in a queue, in seconds; 0 without any. Paused endpoints do not count, and neither does what comes after ten
 * thousand endpoints with a queue.
 */
export async function oldestQueuedOfAnyOrganisation(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    with ${queuesAfter(sql.lit(firstEndpointId))}
    select coalesce(extract(epoch from now() - min(queue.created_at)), 0)::float8 as seconds
    from (select * from queue limit 10000) as queue join webhook_endpoints on webhook_endpoints.id = endpoint_id where paused_at is null`.execute(
    db,
  );
  return rows[0]?.seconds ?? 0;
}

type FoundQueue = { endpointId: string; orgId: string; isActive: boolean };

/**
 * The endpoints with a queue that are not paused, after the endpoint `after`.
 */
export async function findQueuesOfAnyOrganisation(
  db: Db,
  { after = firstEndpointId, limit }: { after?: string | undefined; limit: number },
): Promise<FoundQueue[]> {
  const { rows } = await sql<FoundQueue>`
    with ${queuesAfter(sql`${after}`)}
    select webhook_endpoints.id as "endpointId", org_id as "orgId", active as "isActive" from queue
    join webhook_endpoints on webhook_endpoints.id = queue.endpoint_id
    where paused_at is null or not active order by webhook_endpoints.id limit ${limit}`.execute(db);
  return rows;
}
