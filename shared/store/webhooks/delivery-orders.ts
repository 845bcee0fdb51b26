import { type NotNull, sql } from 'kysely';
import type { Environment } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { transactionTime } from '../database/statements.ts';
import type { DeliveryOrderKind } from '../entities/webhooks/delivery-order.ts';
import type { RestartableDelivery } from './deliveries.ts';

type Span = { createdFrom: Date; createdBefore: Date };

/**
 * What can be sent again: events whose own delivery failed. Tests have no part in it. `isWanted` is false if the body of the event is no
 * longer kept, or if the event was delivered to the endpoint by another delivery, or is on its way.
 */
const failedIn = (db: Db, endpointId: string, { createdFrom, createdBefore }: Span) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select((eb) =>
      eb
        .and([
          eb('events.body', 'is not', null),
          eb.not(
            eb.exists(
              eb
                .selectFrom('deliveries as other')
                .select('other.id')
                .whereRef('other.eventId', '=', 'deliveries.eventId')
                .whereRef('other.endpointId', '=', 'deliveries.endpointId')
                .where('other.trigger', '<>', 'event')
                .where('other.status', 'in', ['pending', 'retrying', 'delivered']),
            ),
          ),
        ])
        .as('isWanted'),
    )
    .where('deliveries.endpointId', '=', endpointId)
    .where('deliveries.status', '=', 'failed')
    .where('deliveries.trigger', '=', 'event')
    .where('deliveries.createdAt', '>=', createdFrom)
    .where('deliveries.createdAt', '<', createdBefore);

/** The orders about the deliveries of one endpoint. */
export const deliveryOrdersOf = ({ orgId }: OrgScope, db: Db, endpointId: string) => ({
  /** Looks at `upTo` failed deliveries of a span at most, and counts those that are wanted. */
  async countFailed(span: Span, upTo: number): Promise<{ wanted: number; lookedAt: number }> {
    const looked = failedIn(db, endpointId, span)
      .where('deliveries.orgId', '=', orgId)
      .limit(upTo)
      .$narrowType<{ isWanted: boolean }>()
      .as('looked');
    return db
      .selectFrom(looked)
      .select((eb) => [
        eb.cast<number>(eb.fn.countAll().filterWhere('isWanted', '=', true), 'integer').as('wanted'),
        eb.cast<number>(eb.fn.countAll(), 'integer').as('lookedAt'),
      ])
      .executeTakeFirstOrThrow();
  },

  /** Returns false if an order of this kind is open. */
  async insert(order: NewOrder): Promise<boolean> {
    const inserted = await db
      .insertInto('delivery_orders')
      .values({ ...order, endpointId, orgId })
      .onConflict((conflict) =>
        conflict.columns(['endpointId', 'kind']).where('endedAt', 'is', null).doNothing(),
      )
      .returning('id')
      .executeTakeFirst();
    return inserted !== undefined;
  },

  /** The newest orders of this kind first, and what became of the deliveries that each made. */
  newest: (kind: DeliveryOrderKind, limit: number) =>
    db
      .selectFrom('delivery_orders')
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('deliveries')
            .whereRef('deliveries.orderId', '=', 'delivery_orders.id')
            .select(({ cast, fn }) => [
              cast<number>(fn.countAll().filterWhere('status', '=', 'delivered'), 'integer').as('arrived'),
              cast<number>(fn.countAll().filterWhere('status', 'in', ['failed', 'cancelled']), 'integer').as(
                'failed',
              ),
              cast<number>(fn.countAll().filterWhere('status', 'in', ['pending', 'retrying']), 'integer').as(
                'open',
              ),
            ])
            .as('made'),
        (join) => join.onTrue(),
      )
      .select(['id', 'createdFrom', 'createdBefore', 'expected', 'sent', 'moreLeft', 'createdAt', 'endedAt'])
      .select(['arrived', 'failed', 'open'])
      .where('endpointId', '=', endpointId)
      .where('orgId', '=', orgId)
      .where('kind', '=', kind)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
});

type NewOrder = {
  id: string;
  kind: DeliveryOrderKind;
  /** Null: the operator. */
  memberId: string | null;
  createdFrom: Date | null;
  createdBefore: Date | null;
  expected: number;
};

export type OrderRow = Awaited<ReturnType<ReturnType<typeof deliveryOrdersOf>['newest']>>[number];

/** The ids of open orders. Few are open at a time. */
export const findOpenOrdersOfAnyOrganisation = (db: Db, limit: number) =>
  db
    .selectFrom('delivery_orders')
    .select('id')
    .where('endedAt', 'is', null)
    .orderBy('createdAt')
    .limit(limit)
    .execute();

/** Undefined if the order has ended, or if another worker carries it out. */
export const lockOrderOfAnyOrganisation = (db: Db, id: string) =>
  db
    .selectFrom('delivery_orders')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'delivery_orders.endpointId')
    .selectAll('delivery_orders')
    .select(['webhook_endpoints.active', 'webhook_endpoints.pausedAt', transactionTime])
    .where('delivery_orders.id', '=', id)
    .where('endedAt', 'is', null)
    .forUpdate('delivery_orders')
    .skipLocked()
    .executeTakeFirst();

type Batch = Span & { endpointId: string; after: { at: Date; id: string }; limit: number };

/**
 * The failed deliveries of a span, oldest first. The events are locked, so that housekeeping cannot delete a body until the transaction
 * ends.
 */
export const holdFailedOfAnyOrganisation = (db: Db, { endpointId, after, limit, ...span }: Batch) =>
  failedIn(db, endpointId, span)
    .select(['deliveries.id', 'deliveries.createdAt', 'deliveries.orgId', 'deliveries.environment'])
    .select(['deliveries.eventId', 'events.verificationId'])
    .where((eb) =>
      eb(eb.refTuple('deliveries.createdAt', 'deliveries.id'), '>', eb.tuple(after.at, after.id)),
    )
    .orderBy('deliveries.createdAt')
    .orderBy('deliveries.id')
    .limit(limit)
    .forKeyShare('events')
    .$narrowType<{ environment: NotNull; isWanted: boolean }>()
    .execute();

export type NewResend = RestartableDelivery & {
  trigger: 'resend';
  environment: Environment;
  eventId: string;
  endpointId: string;
  orderId: string;
  createdAt: Date;
};

/** Each makes one attempt, which is due at once (decision 34). */
export const insertResendsOfAnyOrganisation = async (
  db: Db,
  resends: readonly NewResend[],
): Promise<void> => {
  if (resends.length === 0) return;
  await db
    .insertInto('deliveries')
    .values(
      resends.map(({ verificationId: _, ...row }) => ({
        ...row,
        attemptsAllowed: 1,
        nextAttemptAt: row.createdAt,
      })),
    )
    .execute();
};

/**
 * Makes deliveries due that waited because their endpoint was paused, oldest first. A delivery that an attempt has locked is left for the
 * next batch.
 */
export async function releaseHeldOfAnyOrganisation(
  db: Db,
  endpointId: string,
  limit: number,
): Promise<RestartableDelivery[]> {
  const { rows } = await sql<RestartableDelivery>`
    with released as (
      update deliveries set held_at = null, next_attempt_at = now()
      where id in (
        select id from deliveries
        where endpoint_id = ${endpointId} and held_at is not null and status in ('pending', 'retrying')
        order by created_at, id limit ${limit} for update skip locked)
      returning id, org_id, environment, trigger, event_id)
    select released.id, released.org_id as "orgId", released.environment, released.trigger,
      events.verification_id as "verificationId"
    from released join events on events.id = released.event_id`.execute(db);
  return rows;
}

type Progress = {
  place: { at: Date; id: string } | undefined;
  lookedAt: number;
  sent: number;
  /** True if the order ends although more is to be sent. */
  moreLeft: boolean;
  isOver: boolean;
};

/** Adds a batch to the progress of an order. The caller must hold the lock on the order. */
export const advanceOrderOfAnyOrganisation = (
  db: Db,
  id: string,
  { place, lookedAt, sent, moreLeft, isOver }: Progress,
) =>
  db
    .updateTable('delivery_orders')
    .set((eb) => ({
      ...(place && { placeAt: place.at, placeId: place.id }),
      lookedAt: eb('lookedAt', '+', lookedAt),
      sent: eb('sent', '+', sent),
      moreLeft,
      ...(isOver && { endedAt: sql<Date>`now()` }),
    }))
    .where('id', '=', id)
    .execute();
