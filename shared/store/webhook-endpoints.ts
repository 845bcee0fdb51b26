import { type NotNull, sql } from 'kysely';
import type { DeliveryStatus, WebhookEnvironment } from '#contract/enums.ts';
import type { SubscribableType } from '#contract/events.ts';
import type { Db } from './connection.ts';
import { comesAfter } from './paging.ts';
import type { OrgScope } from './scope.ts';
import { transactionTime } from './statements.ts';

/** The columns that a view of an endpoint needs. They contain no secret. */
const viewed = ['id', 'url', 'description', 'eventTypes', 'environment', 'active', 'createdAt'] as const;

/** Webhook endpoints of an organisation. They belong to both environments (decision 14). */
export const webhookEndpointsOf = ({ orgId }: OrgScope, db: Db) => {
  const ofOrganisation = db.selectFrom('webhook_endpoints').where('orgId', '=', orgId);
  const one = (id: string) => ofOrganisation.select([...viewed, transactionTime]).where('id', '=', id);
  const change = (id: string) =>
    db.updateTable('webhook_endpoints').where('id', '=', id).where('orgId', '=', orgId);
  return {
    /** Counts under a lock on the organisation, so that two concurrent registrations cannot exceed the limit together. */
    async countActive(): Promise<{ active: number; now: Date }> {
      const { now } = await db
        .selectFrom('organisations')
        .select(transactionTime)
        .where('id', '=', orgId)
        .forNoKeyUpdate()
        .executeTakeFirstOrThrow();
      const { active } = await ofOrganisation
        .select((eb) => eb.cast<number>(eb.fn.countAll(), 'integer').as('active'))
        .where('active', '=', true)
        .executeTakeFirstOrThrow();
      return { active, now };
    },

    find: (id: string) => one(id).executeTakeFirst(),

    /** Prevents other changes to the endpoint until the transaction ends. */
    lock: (id: string) => one(id).forNoKeyUpdate().executeTakeFirst(),

    insert: (endpoint: NewEndpoint) => db.insertInto('webhook_endpoints').values({ ...endpoint, orgId }),

    /**
     * The current secret becomes the previous secret, which also signs until `previousUntil`. If `previousUntil` is null, the old
     * secret stops signing at once (decision 35).
     */
    rotateSecret: (id: string, { secret, previousUntil }: { secret: Buffer; previousUntil: Date | null }) =>
      change(id).set((eb) => ({
        secret,
        previousSecret: previousUntil && eb.ref('secret'),
        previousSecretUntil: previousUntil,
      })),

    deactivate: (id: string) => change(id).set({ active: false }),

    /** Returns at most `limit` rows, newest first, that follow the row `after`. Inactive endpoints are included (decision 19). */
    newest({ limit, after }: { limit: number; after: string | undefined }) {
      const cursor = ofOrganisation.select(['createdAt', 'id']).where('id', '=', after ?? '');
      return ofOrganisation
        .select(viewed)
        .$if(after !== undefined, (query) => query.where(comesAfter('webhook_endpoints', cursor)))
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
    },

    newestWithLastDelivery: ({ limit }: { limit: number }) =>
      ofOrganisation
        .leftJoinLateral(lastDelivery(db), (join) => join.onTrue())
        .selectAll('webhook_endpoints')
        .select('last.delivery as lastDelivery')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
  };
};

/** The number of newest deliveries that are searched for an endpoint. A retry of an older delivery is not found. */
const recentDeliveries = 100;

/**
 * The delivery with the latest attempt, of any trigger (decision 27), for the endpoint of the outer query. Pending deliveries are
 * excluded, because they have no finished attempt.
 */
const lastDelivery = (db: Db) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('deliveries')
        .select(['id', 'eventId', 'status'])
        .where('endpointId', '=', sql.ref<string>('webhook_endpoints.id'))
        .where('status', '<>', 'pending')
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(recentDeliveries)
        .as('recent'),
    )
    .innerJoin('events', 'events.id', 'recent.eventId')
    .innerJoin('delivery_attempts as attempt', 'attempt.deliveryId', 'recent.id')
    .select(({ fn, ref }) =>
      sql<LastDelivery>`jsonb_build_object(
        'eventType', ${ref('events.type')}, 'status', ${ref('recent.status')}, 'attempts', ${fn.countAll()},
        'lastAttemptAt', ${fn.max('attempt.startedAt')},
        'responseStatus', (array_agg(${ref('attempt.responseStatus')} order by ${ref('attempt.number')} desc))[1]
      )`.as('delivery'),
    )
    .groupBy(['recent.id', 'recent.status', 'events.type'])
    .orderBy((eb) => eb.fn.max('attempt.startedAt'), 'desc')
    .orderBy('recent.id', 'desc')
    .limit(1)
    .as('last');

export type LastDelivery = {
  eventType: string;
  status: Exclude<DeliveryStatus, 'pending'>;
  attempts: number;
  lastAttemptAt: string;
  responseStatus: number | null;
};

type NewEndpoint = {
  id: string;
  url: string;
  description: string | null;
  eventTypes: SubscribableType[];
  environment: WebhookEnvironment;
  secret: Buffer;
  createdAt: Date;
};

export type WebhookEndpointRow = Awaited<ReturnType<ReturnType<typeof webhookEndpointsOf>['newest']>>[number];
export type FollowedEndpointRow = WebhookEndpointRow & { lastDelivery: LastDelivery | null };

/** Active endpoints whose attempts have all failed since a time before `failingBefore`. */
export const findFailingEndpointsOfAnyOrganisation = (db: Db, failingBefore: Date) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'orgId', 'failingSince', 'consecutiveFailures', 'lastSuccessAt'])
    .where('active', '=', true)
    .where('failingSince', '<', failingBefore)
    .$narrowType<{ failingSince: NotNull }>()
    .execute();
