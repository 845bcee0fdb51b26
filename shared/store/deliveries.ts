import { sql } from 'kysely';
import type { AttemptReason, DeliveryStatus, DeliveryTrigger, Environment } from '#contract/enums.ts';
import type { SentEventType } from '#contract/events.ts';
import type { Db } from './connection.ts';
import type { OrgScope } from './scope.ts';
import type { Write } from './statements.ts';

type Event = {
  id: string;
  orgId: string;
  environment: Environment;
  type: SentEventType;
  verificationId: string | null;
  body: Buffer;
  createdAt: Date;
};

type Kind = { trigger: DeliveryTrigger; attemptsAllowed: number };

/** The event, and its deliveries, which are due at once. */
export const eventWrites = (
  db: Db,
  event: Event,
  deliveries: readonly { id: string; endpointId: string }[],
  { trigger, attemptsAllowed }: Kind,
): Write[] => [
  db.insertInto('events').values(event),
  sql`
    insert into deliveries (
      id, endpoint_id, org_id, environment, event_id, trigger, attempts_allowed, next_attempt_at, created_at)
    select id, endpoint_id, ${event.orgId}::uuid, ${event.environment}::text, ${event.id}::text, ${trigger}::text,
      ${attemptsAllowed}::smallint, ${event.createdAt}::timestamptz, ${event.createdAt}::timestamptz
    from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ endpointId }) => endpointId)}::uuid[])
      as delivery (id, endpoint_id)`,
];

export type DeliveryChange = Partial<{
  status: DeliveryStatus;
  nextAttemptAt: Date | null;
  waitedMs: number;
  attemptsAllowed: number;
}>;

/** The caller holds the lock on the delivery. */
export const deliveryWrite = (db: Db, id: string, change: DeliveryChange) =>
  db.updateTable('deliveries').set(change).where('id', '=', id);

/** Deliveries of a verification's events that are not settled. */
export async function openDeliveryIds(scope: OrgScope, db: Db, verificationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
    .select('deliveries.id')
    .where('events.verificationId', '=', verificationId)
    .where('deliveries.orgId', '=', scope.orgId)
    .where('deliveries.status', 'in', ['pending', 'retrying'])
    .execute();
  return rows.map(({ id }) => id);
}

type Page = { limit: number; after: string | undefined; status: DeliveryStatus | undefined };

/** Deliveries to one endpoint of the organisation, of both environments, as the endpoint itself (decision 14). */
export const deliveriesOf = (scope: OrgScope, db: Db, endpointId: string) => ({
  find: (id: string) =>
    db
      .selectFrom('deliveries')
      .select(['id', 'eventId', 'environment'])
      .where('id', '=', id)
      .where('endpointId', '=', endpointId)
      .where('orgId', '=', scope.orgId)
      .executeTakeFirst(),

  /**
   * At most `limit` rows, the newest first, after the row `after` where it is given, in whatever status that is by now. One
   * statement, so that a delivery and its attempts are of one moment.
   */
  newest: ({ limit, after, status }: Page) =>
    db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.eventId')
      .select([
        'deliveries.id',
        'deliveries.eventId',
        'events.type as eventType',
        'deliveries.status',
        'deliveries.trigger',
        'deliveries.createdAt',
        'deliveries.nextAttemptAt',
        endedAttempts,
      ])
      .where('deliveries.endpointId', '=', endpointId)
      .where('deliveries.orgId', '=', scope.orgId)
      .$if(status !== undefined, (query) => query.where('deliveries.status', '=', status ?? 'pending'))
      .$if(after !== undefined, (query) =>
        query.where((eb) =>
          eb(
            eb.refTuple('deliveries.createdAt', 'deliveries.id'),
            '<',
            eb
              .selectFrom('deliveries')
              .select(['createdAt', 'id'])
              .where('id', '=', after ?? '')
              .where('endpointId', '=', endpointId)
              .where('orgId', '=', scope.orgId)
              .$asTuple('createdAt', 'id'),
          ),
        ),
      )
      .orderBy('deliveries.createdAt', 'desc')
      .orderBy('deliveries.id', 'desc')
      .limit(limit)
      .execute(),

  /** The event of a delivery. Its body stays until the transaction ends: housekeeping empties none that somebody holds. */
  holdEvent: (eventId: string) =>
    db
      .selectFrom('events')
      .select(['type', 'verificationId'])
      .select(sql<boolean>`body is not null`.as('hasBody'))
      .where('id', '=', eventId)
      .where('orgId', '=', scope.orgId)
      .forKeyShare()
      .executeTakeFirst(),

  insert: async (row: NewDelivery): Promise<void> => {
    await db
      .insertInto('deliveries')
      .values({ ...row, endpointId, orgId: scope.orgId })
      .execute();
  },
});

type NewDelivery = Kind & {
  id: string;
  eventId: string;
  environment: Environment;
  createdAt: Date;
  nextAttemptAt: Date;
};

export type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['newest']>>[number];

/** As JSON writes them: the time is text. */
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
