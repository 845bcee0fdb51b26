import { type Db, transactionTime } from './orm.ts';
import type { OrgScope } from './scope.ts';

/** Webhook endpoints of an organisation; both of its environments see them (decision 14). */
export const webhookEndpointsOf = (scope: OrgScope, db: Db) => ({
  /** Counts under a lock on the organisation, so that two registrations at once cannot both be the last allowed. */
  async countActive(): Promise<{ active: number; now: Date }> {
    const { now } = await db
      .selectFrom('organisations')
      .select(transactionTime)
      .where('id', '=', scope.orgId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const { active } = await db
      .selectFrom('webhook_endpoints')
      .select((eb) => eb.fn.countAll<string>().as('active'))
      .where('orgId', '=', scope.orgId)
      .where('active', '=', true)
      .executeTakeFirstOrThrow();
    return { active: Number(active), now };
  },
});
