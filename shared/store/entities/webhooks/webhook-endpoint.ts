import { defineEntity, p } from '@mikro-orm/core';
import type { WebhookEnvironment } from '#contract/enums.ts';
import type { SubscribableType } from '#contract/events.ts';
import { bytes, createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';

/** A webhook endpoint (specification 2.4). Keys of both environments of the organisation can access it (decision 14). */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoints',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    url: p.text(),
    description: p.text().nullable(),
    eventTypes: p.array().$type<SubscribableType[]>(),
    environment: p.text().$type<WebhookEnvironment>(),
    active: p.boolean().default(true),
    /** Empty if the endpoint is inactive. */
    secret: bytes(),
    /** The secret before the last rotation. It also signs until `previousSecretUntil` (decision 35). */
    previousSecret: bytes().nullable(),
    previousSecretUntil: instant().nullable(),
    /**
     * The number of failed attempts since the last success. Concurrent failures can count as one. `failingSince` is the time of the
     * first such failure.
     */
    consecutiveFailures: p.integer().default(0),
    failingSince: instant().nullable(),
    lastSuccessAt: instant().nullable(),
    /** While it is set, deliveries wait and use up no attempt. */
    pausedAt: instant().nullable(),
    /** Who has paused it, besides or instead of a member. Null: at most a member. */
    pausedBy: p.text().$type<'operator' | 'both'>().nullable(),
    createdAt: createdAt(),
  },
  indexes: [
    {
      name: 'webhook_endpoints_failing',
      expression:
        'create index "webhook_endpoints_failing" on "webhook_endpoints" ("failing_since") where ((active is true) and (failing_since is not null))',
    },
    {
      name: 'webhook_endpoints_overlap',
      expression:
        'create index "webhook_endpoints_overlap" on "webhook_endpoints" ("previous_secret_until") where (previous_secret is not null)',
    },
    {
      name: 'webhook_endpoints_active',
      expression:
        'create index "webhook_endpoints_active" on "webhook_endpoints" ("org_id") where (active is true)',
    },
    {
      name: 'webhook_endpoints_newest',
      expression:
        'create index "webhook_endpoints_newest" on "webhook_endpoints" ("org_id", "created_at" desc, "id" desc)',
    },
  ],
});
