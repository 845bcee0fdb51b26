import { type Db, transactionTime } from './orm.ts';
import type { OrgScope } from './scope.ts';

/** What a view of an endpoint needs; its secrets are not among it. */
const viewed = ['id', 'url', 'description', 'eventTypes', 'environment', 'active', 'createdAt'] as const;

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

  find: (id: string) =>
    db
      .selectFrom('webhook_endpoints')
      .select(viewed)
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .executeTakeFirst(),

  /** Like `find`, and nobody else changes it until the transaction ends. */
  lock: (id: string) =>
    db
      .selectFrom('webhook_endpoints')
      .select(['id', 'active', transactionTime])
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId)
      .forNoKeyUpdate()
      .executeTakeFirst(),

  deactivate: (id: string) =>
    db
      .updateTable('webhook_endpoints')
      .set({ active: false })
      .where('id', '=', id)
      .where('orgId', '=', scope.orgId),

  /** At most `limit` rows, inactive ones too, the newest first, after the row `after` where it is given (decision 19). */
  newest: ({ limit, after }: { limit: number; after: string | undefined }) =>
    db
      .selectFrom('webhook_endpoints')
      .select(viewed)
      .where('orgId', '=', scope.orgId)
      .$if(after !== undefined, (query) =>
        query.where((eb) =>
          eb(
            eb.refTuple('createdAt', 'id'),
            '<',
            eb
              .selectFrom('webhook_endpoints')
              .select(['createdAt', 'id'])
              .where('id', '=', after ?? '')
              .where('orgId', '=', scope.orgId)
              .$asTuple('createdAt', 'id'),
          ),
        ),
      )
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
});

export type WebhookEndpointRow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof webhookEndpointsOf>['find']>>
>;
