import type { Environment, EventType } from '#contract/enums.ts';
import type { Db } from './orm.ts';
import type { OrgScope } from './scope.ts';

/** Active endpoints that an event of this type and of the scope's environment goes to (specification 6.1). */
export const endpointsFor = (scope: OrgScope, db: Db, type: EventType) =>
  db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('orgId', '=', scope.orgId)
    .where('active', '=', true)
    .where('environment', 'in', ['all', scope.environment satisfies Environment])
    .where((eb) => eb(eb.val(type), '=', eb.fn.any('eventTypes')))
    .execute();

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
