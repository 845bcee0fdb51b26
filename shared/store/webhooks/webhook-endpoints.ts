import { type NotNull, sql } from 'kysely';
import { type DeliveryStatus, deliveryStatuses, type WebhookEnvironment } from '#contract/enums.ts';
import type { SubscribableType } from '#contract/events.ts';
import type { Db } from '../database/connection.ts';
import { comesAfter } from '../database/paging.ts';
import type { OrgScope } from '../database/scope.ts';
import { transactionTime } from '../database/statements.ts';
import { newestLine, pausedByLedger } from '../ledger.ts';

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
        .where('active', 'is', true)
        .executeTakeFirstOrThrow();
      return { active, now };
    },

    find: (id: string) => one(id).executeTakeFirst(),

    /** Prevents other changes to the endpoint until the transaction ends. */
    lock: (id: string) => one(id).select(['pausedAt', 'pausedBy']).forNoKeyUpdate().executeTakeFirst(),

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

    /** Nothing is sent to an inactive endpoint, so its secrets are deleted. */
    deactivate: (id: string) =>
      change(id).set({
        active: false,
        secret: Buffer.alloc(0),
        previousSecret: null,
        previousSecretUntil: null,
      }),

    pause: (id: string, pause: Pause) => change(id).set(pause),

    /** Remembers that the open deliveries of the endpoint must be cancelled (decision 50). */
    insertDeactivation: (id: string) => db.insertInto('deactivations').values({ endpointId: id }),

    /** Returns at most `limit` rows, newest first, that follow the row `after`. Inactive endpoints are included (decision 19). */
    newest({ limit, after }: { limit: number; after: string | undefined }) {
      return ofOrganisation
        .select(viewed)
        .$if(after !== undefined, (query) =>
          query.where(comesAfter('webhook_endpoints', after ?? '', { orgId })),
        )
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

/** Since when an endpoint is paused, if it is. If `pausedBy` is null, only a member has paused it. */
export type Pause = { pausedAt: Date | null; pausedBy: 'operator' | 'both' | null };

/** The organisation of an endpoint. */
export const endpointOfAnyOrganisation = (db: Db, id: string): Promise<{ orgId: string } | undefined> =>
  db.selectFrom('webhook_endpoints').select('orgId').where('id', '=', id).executeTakeFirst();

/** The number of newest deliveries that are searched for an endpoint. A retry of an older delivery is not found. */
const recentDeliveries = 100;

const attempted = deliveryStatuses.filter((status) => status !== 'pending');

/**
 * The newest deliveries to the endpoint of the outer query. Pending deliveries are excluded, because they have no finished attempt.
 * An endpoint can have a million of them, so each other status is searched by itself.
 */
const recent = sql<{ id: string; status: LastDelivery['status'] }>`(
  select newest.id, newest.status
  from unnest(${attempted}::text[]) as wanted(status)
  cross join lateral (
    select id, status, created_at from deliveries
    where endpoint_id = webhook_endpoints.id and status = wanted.status
    order by created_at desc, id desc limit ${recentDeliveries}
  ) as newest
  order by newest.created_at desc, newest.id desc limit ${recentDeliveries}
)`.as('recent');

/** The delivery with the latest attempt, of any trigger (decision 27), for the endpoint of the outer query. */
const lastDelivery = (db: Db) =>
  db
    .selectFrom(recent)
    .innerJoin('deliveries', 'deliveries.id', 'recent.id')
    .innerJoin('events', 'events.id', 'deliveries.eventId')
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
    .where('active', 'is', true)
    .where('failingSince', '<', failingBefore)
    .$narrowType<{ failingSince: NotNull }>()
    .execute();

/** Endpoints in the order of their ids, with the last line of each in the ledger, and who has paused it by its lines. */
export const endpointsWithHistoryOfAnyOrganisation = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('webhook_endpoints')
    .select(['id', 'active', 'pausedAt', 'pausedBy'])
    .select(newestLine('webhook_endpoints.id'))
    .select([pausedByLedger('member').as('byMember'), pausedByLedger('operator').as('byOperator')])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Deactivated endpoints that may still have open deliveries, in the order of their ids. */
export const findDeactivationsOfAnyOrganisation = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('deactivations')
    .select('endpointId')
    .where('endpointId', '>', after)
    .orderBy('endpointId')
    .limit(limit)
    .execute();

export const forgetDeactivationOfAnyOrganisation = (db: Db, endpointId: string) =>
  db.deleteFrom('deactivations').where('endpointId', '=', endpointId).execute();
