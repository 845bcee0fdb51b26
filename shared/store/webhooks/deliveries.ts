import { type NotNull, type RawBuilder, sql } from 'kysely';
import type { AttemptReason, DeliveryStatus, DeliveryTrigger, Environment } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import { comesAfter } from '../database/paging.ts';
import type { OrgScope } from '../database/scope.ts';
import { compiledOnce, transactionTime } from '../database/statements.ts';
import { farAway } from './delivery-queue.ts';

export type DeliveryKind = { trigger: DeliveryTrigger; attemptsAllowed: number };

const open = ['pending', 'retrying'] as const;

export async function openDeliveryIds(scope: OrgScope, db: Db, verificationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select('deliveries.id')
    .where('events.verificationId', '=', verificationId)
    .where('deliveries.orgId', '=', scope.orgId)
    .where('deliveries.status', 'in', open)
    // These have no workflow before their turn (`delivery-queue.ts`).
    .where('deliveries.queuedAt', 'is', null)
    // The index on the event contains these deliveries only. Resent and test deliveries are started by their own verbs.
    .where('deliveries.trigger', '=', 'event')
    .execute();
  return rows.map(({ id }) => id);
}

type Page = {
  limit: number;
  after: string | undefined;
  status: DeliveryStatus | undefined;
  createdFrom?: Date | undefined;
  createdBefore?: Date | undefined;
};

/** Deliveries to one endpoint of an organisation. They cover both environments, as the endpoint does (decision 14). */
export const deliveriesOf = ({ orgId }: OrgScope, db: Db, endpointId: string) => {
  const ofEndpoint = db
    .selectFrom('deliveries')
    .where('deliveries.endpointId', '=', endpointId)
    .where('deliveries.orgId', '=', orgId);
  return {
    find: (id: string) =>
      ofEndpoint.select(['id', 'eventId', 'environment']).where('id', '=', id).executeTakeFirst(),

    /**
     * Returns at most `limit` rows, newest first, that follow the row `after`. That row may have another status by now. One
     * statement reads deliveries and attempts, so that they show the same moment.
     */
    newest({ limit, after, status, createdFrom, createdBefore }: Page) {
      let query = ofEndpoint
        .innerJoin('events', 'events.id', 'deliveries.eventId')
        .select(['deliveries.id', 'deliveries.eventId', 'deliveries.status', 'deliveries.trigger'])
        .select(['deliveries.createdAt', dueAt])
        .select(['events.type as eventType', endedAttempts]);
      if (status !== undefined) query = query.where('deliveries.status', '=', status);
      if (after !== undefined) query = query.where(comesAfter('deliveries', after, { endpointId, orgId }));
      if (createdFrom !== undefined) query = query.where('deliveries.createdAt', '>=', createdFrom);
      if (createdBefore !== undefined) query = query.where('deliveries.createdAt', '<', createdBefore);
      return query
        .orderBy('deliveries.createdAt', 'desc')
        .orderBy('deliveries.id', 'desc')
        .limit(limit)
        .execute();
    },

    /** Returns the event and locks it, so that housekeeping cannot delete its body until the transaction ends. */
    holdEvent: (eventId: string) =>
      db
        .selectFrom('events')
        .select(['type', 'verificationId'])
        .select(sql<boolean>`body is not null`.as('hasBody'))
        .where('id', '=', eventId)
        .where('orgId', '=', orgId)
        .forKeyShare()
        .executeTakeFirst(),

    insert: async (row: NewDelivery): Promise<void> => {
      await db
        .insertInto('deliveries')
        .values({ ...row, endpointId, orgId })
        .execute();
    },
  };
};

type NewDelivery = DeliveryKind & {
  id: string;
  eventId: string;
  environment: Environment;
  createdAt: Date;
  nextAttemptAt: Date;
};

/** One delivery of an organisation, to any of its endpoints, with what was sent. */
export const deliveryInFull = ({ orgId }: OrgScope, db: Db, id: string) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
    .select(['deliveries.id', 'deliveries.endpointId', 'deliveries.eventId', 'deliveries.environment'])
    .select(['deliveries.status', 'deliveries.trigger', 'deliveries.createdAt', dueAt])
    .select(['events.type as eventType', 'events.verificationId', 'events.body'])
    .select(['webhook_endpoints.url', 'webhook_endpoints.active', 'webhook_endpoints.pausedAt'])
    .where('deliveries.id', '=', id)
    .where('deliveries.orgId', '=', orgId)
    .executeTakeFirst();

/** What waits for its turn has been due since it was created. */
const dueAt = sql<Date | null>`
  case when deliveries.queued_at is null then deliveries.next_attempt_at else deliveries.created_at end`.as(
  'nextAttemptAt',
);

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['newest']>>[number];

/** An attempt as Postgres writes it in JSON, so `startedAt` is text. */
type EndedAttempt = {
  number: number;
  startedAt: string;
  durationMs: number | null;
  responseStatus: number | null;
  reason: AttemptReason | null;
};

const endedAttempts = sql<readonly EndedAttempt[]>`coalesce((
  select json_agg(
    json_build_object('number', number, 'startedAt', started_at, 'durationMs', duration_ms,
      'responseStatus', response_status, 'reason', reason)
    order by number)
  from delivery_attempts where delivery_id = deliveries.id and outcome is not null), '[]')`.as('attempts');

/** Locks only the delivery. A lock on the endpoint would delay all other deliveries to that endpoint. */
export const lockDeliveryOfAnyOrganisation = (db: Db, id: string) =>
  db
    .selectFrom('deliveries')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
    .selectAll('deliveries')
    .select(['webhook_endpoints.active', 'webhook_endpoints.pausedAt', transactionTime])
    .where('deliveries.id', '=', id)
    .forUpdate('deliveries')
    .executeTakeFirst();

export type DeliveryChange = Partial<{
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  heldAt: Date | null;
  waitedMs: number;
  attemptsAllowed: number;
}>;

/** The caller must hold the lock on the delivery. */
export const changeDeliveryOfAnyOrganisation = (db: Db, id: string, change: DeliveryChange) =>
  db.updateTable('deliveries').set(change).where('id', '=', id);

/** The organisation and the endpoint of a delivery never change, so callers may cache the result. */
export const findDestinationOfAnyOrganisation = async (db: Db, deliveryId: string) =>
  (await findDestination(db, { deliveryId }))[0];

const findDestination = compiledOnce((db: Db, { deliveryId }: { deliveryId: string }) =>
  db.selectFrom('deliveries').select(['orgId', 'endpointId']).where('id', '=', deliveryId),
);

/**
 * Delays an open delivery that waits for its turn, so that the sweep does not treat it as overdue. Returns undefined if the
 * delivery is not open.
 */
export async function postponeDeliveryOfAnyOrganisation(db: Db, id: string, waitMs: number) {
  const postponed = await db
    .updateTable('deliveries')
    .set({ nextAttemptAt: sql<Date>`now() + make_interval(secs => ${waitMs / 1_000}::float8)` })
    .where('id', '=', id)
    .where('status', 'in', open)
    .returning('status')
    .executeTakeFirst();
  return postponed?.status;
}

/** Open deliveries with what the start of their workflow needs. */
const restartable = (db: Db) =>
  db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select(['deliveries.id', 'deliveries.orgId', 'deliveries.environment', 'deliveries.trigger'])
    .select('events.verificationId');

export type RestartableDelivery = {
  id: string;
  orgId: string;
  environment: Environment;
  trigger: DeliveryTrigger;
  verificationId: string | null;
};

type Overdue = { after: { at: Date; id: string }; dueBefore: Date; limit: number };

/**
 * Open deliveries that were due before `dueBefore`, in the order of their due time. Their workflow was lost or never started, or no
 * worker ran (decision 36).
 */
export const findOverdueDeliveriesOfAnyOrganisation = (db: Db, { after, dueBefore, limit }: Overdue) =>
  restartable(db)
    .select('deliveries.nextAttemptAt')
    .where('deliveries.status', 'in', open)
    .where((eb) =>
      eb(eb.refTuple('deliveries.nextAttemptAt', 'deliveries.id'), '>', eb.tuple(after.at, after.id)),
    )
    .where('deliveries.nextAttemptAt', '<', dueBefore)
    .$narrowType<{ nextAttemptAt: NotNull }>()
    .orderBy('deliveries.nextAttemptAt')
    .orderBy('deliveries.id')
    .limit(limit)
    .execute();

type OpenOfEndpoint = {
  endpointId: string;
  status: (typeof open)[number];
  after: string | undefined;
  limit: number;
};

/** Deliveries to an endpoint that have the status `status`, newest first, that follow the row with id `after`. */
export const findOpenDeliveriesOfAnyOrganisation = (
  db: Db,
  { endpointId, status, after, limit }: OpenOfEndpoint,
): Promise<RestartableDelivery[]> => {
  const found = restartable(db)
    .where('deliveries.endpointId', '=', endpointId)
    .where('deliveries.status', '=', status)
    .orderBy('deliveries.createdAt', 'desc')
    .orderBy('deliveries.id', 'desc')
    .limit(limit);
  return (
    after === undefined ? found : found.where(comesAfter('deliveries', after, { endpointId }))
  ).execute();
};

/**
 * True if a worker has taken up the delivery: an attempt is being made, or the delivery need not be attempted or cancelled now.
 */
export const isTakenUpOfAnyOrganisation = async (db: Db, id: string, dueBefore: Date): Promise<boolean> => {
  const waiting = await db
    .selectFrom('deliveries')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
    .select('deliveries.id')
    .where('deliveries.id', '=', id)
    .where('deliveries.status', 'in', open)
    .where((eb) =>
      eb.or([eb('deliveries.nextAttemptAt', '<', dueBefore), eb('webhook_endpoints.active', '=', false)]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('delivery_attempts')
            .select('number')
            .whereRef('delivery_attempts.deliveryId', '=', 'deliveries.id')
            .where('outcome', 'is', null),
        ),
      ),
    )
    .executeTakeFirst();
  return waiting === undefined;
};

export type OpenDeliveries = {
  waiting: number;
  due: number;
  overdue: number;
  queued: number;
  oldestDueSeconds: number;
};

/**
 * Counts the open deliveries that are not due yet (`waiting`), `due`, or `overdue`, and those whose first attempt waits for its turn
 * (`queued`). Each count ends at `upTo`. `oldestDueSeconds` is the time since the earliest due time, or 0.
 */
export const countOpenDeliveriesOfAnyOrganisation = async (
  db: Db,
  { overdueBefore, upTo }: { overdueBefore: Date; upTo: number },
): Promise<OpenDeliveries> => {
  const isOpen = sql`status in ('pending', 'retrying')`;
  const countOf = (when: RawBuilder<unknown>) =>
    sql`(select count(*)::int from (select from deliveries where ${isOpen} and ${when} limit ${upTo}) as counted)`;
  const { rows } = await sql<OpenDeliveries>`
    select ${countOf(sql`next_attempt_at > now() and next_attempt_at < ${farAway}`)} as "waiting",
      (select count(*)::int from (select from deliveries where queued_at is not null limit ${upTo}) as counted) as "queued",
      ${countOf(sql`next_attempt_at <= now() and next_attempt_at >= ${overdueBefore}`)} as "due",
      ${countOf(sql`next_attempt_at <= now() and next_attempt_at < ${overdueBefore}`)} as "overdue",
      coalesce(greatest(extract(epoch from now() - (select min(next_attempt_at) from deliveries where ${isOpen})), 0), 0)::float8
        as "oldestDueSeconds"`.execute(db);
  return rows[0] as OpenDeliveries;
};
