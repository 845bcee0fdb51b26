import { sql } from 'kysely';
import type { SentEventType, SubscribableType } from '#contract/events.ts';
import type { Db } from './connection.ts';
import type { DeliveryKind } from './deliveries.ts';
import type { OrgScope } from './scope.ts';
import type { Write } from './statements.ts';

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

/**
 * A column for a query on the table `about`. It lists the active endpoints that receive an event of this type about the row
 * (specification 6.1).
 */
export const subscribers = (about: 'requests' | 'verifications', type: SubscribableType) =>
  sql<string[]>`array(
    select id from webhook_endpoints as endpoint
    where endpoint.org_id = ${sql.table(about)}.org_id and endpoint.active is true
      and endpoint.environment in ('all', ${sql.table(about)}.environment)
      and ${type} = any(endpoint.event_types))`.as('subscribers');
