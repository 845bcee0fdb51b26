import { sql } from 'kysely';
import type { SentEventType, SubscribableType } from '#contract/events.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import type { Write } from '../database/statements.ts';
import type { DeliveryKind } from './deliveries.ts';

type NewEvent = {
  id: string;
  type: SentEventType;
  verificationId: string | null;
  body: Buffer;
  createdAt: Date;
};

/** Builds the writes of an event and of its deliveries. A delivery is due as soon as it is committed. */
export const eventWrites = (
  { orgId, environment }: OrgScope,
  db: Db,
  event: NewEvent,
  deliveries: readonly { id: string; endpointId: string }[],
  { trigger, attemptsAllowed }: DeliveryKind,
): Write[] => [
  db.insertInto('events').values({ ...event, orgId, environment }),
  sql`
    insert into deliveries (
      id, endpoint_id, org_id, environment, event_id, trigger, attempts_allowed, next_attempt_at, created_at)
    select id, endpoint_id, ${orgId}::uuid, ${environment}::text, ${event.id}::text, ${trigger}::text,
      ${attemptsAllowed}::smallint, ${event.createdAt}::timestamptz, ${event.createdAt}::timestamptz
    from unnest(${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ endpointId }) => endpointId)}::uuid[])
      as delivery (id, endpoint_id)`,
];

/** The types of the events about one moment: of a verification, and of an income check. */
export type TypesOfMoment = { type: SubscribableType; incomeType: SubscribableType };

const isIncomeCheck = {
  requests: sql`requests.operation = 'create_income_check'`,
  verifications: sql`verifications.method = 'income'`,
};

/**
 * A column for a query on the table `about`. It lists the active endpoints that receive an event of this moment about the row
 * (specification 6.1).
 */
export const subscribers = (about: keyof typeof isIncomeCheck, { type, incomeType }: TypesOfMoment) =>
  sql<string[]>`array(
    select id from webhook_endpoints as endpoint
    where endpoint.org_id = ${sql.table(about)}.org_id and endpoint.active is true
      and endpoint.environment in ('all', ${sql.table(about)}.environment)
      and case when ${isIncomeCheck[about]} then ${incomeType}::text else ${type}::text end = any(endpoint.event_types))`.as(
    'subscribers',
  );

/** The events about the verifications of an organisation. */
export const eventsOf = ({ orgId }: OrgScope, db: Db) => ({
  /**
   * Removes the reference from the bodies of the events about this verification, and what receivers answered to them. Returns the number of
   * bodies that changed. The caller must hold a lock on the verification.
   */
  async eraseReference(verificationId: string): Promise<number> {
    const rows = await db
      .selectFrom('events')
      .select(['id', 'body'])
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    let changed = 0;
    for (const { id, body } of rows) {
      await forgetExcerpts(db, id);
      const erased = body && withoutReference(body);
      if (!erased) continue;
      await db.updateTable('events').set({ body: erased }).where('id', '=', id).execute();
      changed += 1;
    }
    return changed;
  },

  /** The deliveries of the events about this verification, and where they went. */
  recipients: (verificationId: string) =>
    db
      .selectFrom('events')
      .innerJoin('deliveries', 'deliveries.eventId', 'events.id')
      .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpointId')
      .select(['webhook_endpoints.url', 'events.type', 'deliveries.status', 'deliveries.createdAt'])
      .where('events.verificationId', '=', verificationId)
      .where('events.orgId', '=', orgId)
      .where('deliveries.trigger', '=', 'event')
      .orderBy('deliveries.createdAt')
      .execute(),
});

/** Returns undefined if the body has no reference. */
function withoutReference(body: Buffer): Buffer | undefined {
  const event = JSON.parse(body.toString('utf8'));
  if (typeof event.data?.reference !== 'string') return undefined;
  return Buffer.from(JSON.stringify({ ...event, data: { ...event.data, reference: null } }));
}

/** Each trigger has an index of its own, so there are two searches. */
const forgetExcerpts = (db: Db, eventId: string) =>
  sql`
    update delivery_attempts set answer = null, heads = null
    where (answer is not null or heads is not null) and delivery_id in (
      select id from deliveries where event_id = ${eventId} and trigger = 'event'
      union all select id from deliveries where event_id = ${eventId} and trigger <> 'event')`.execute(db);
