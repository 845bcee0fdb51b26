import { defineEntity, p } from '@mikro-orm/core';
import type { DeliveryStatus, DeliveryTrigger, Environment } from '#contract/enums.ts';
import { createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { Event } from './event.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

/** The delivery of one event to one endpoint (specification 6.4; decisions 28, 31, 36). */
export const Delivery = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    environment: p.text().$type<Environment>(),
    eventId: () => p.manyToOne(Event).mapToPk().joinColumn('event_id'),
    endpointId: () => p.manyToOne(WebhookEndpoint).mapToPk().joinColumn('endpoint_id'),
    trigger: p.text().$type<DeliveryTrigger>().default('event'),
    status: p.text().$type<DeliveryStatus>().default('pending'),
    attemptsAllowed: p.smallint(),
    waitedMs: p.integer().default(0),
    nextAttemptAt: instant().nullable(),
    /** Since when it waits because its endpoint is paused. */
    heldAt: instant().nullable(),
    /** Since when its first attempt waits for its turn. It has no workflow meanwhile. */
    queuedAt: instant().nullable(),
    /** The order that sent its event again. Null if no order did. */
    orderId: p.uuid().nullable(),
    createdAt: createdAt(),
  },
  uniques: [
    { name: 'deliveries_event_endpoint', properties: ['eventId', 'endpointId'], where: "trigger = 'event'" },
  ],
  indexes: [
    {
      name: 'deliveries_asked',
      expression:
        'create index "deliveries_asked" on "deliveries" ("event_id") where (trigger <> \'event\'::text)',
    },
    {
      name: 'deliveries_open',
      expression:
        'create index "deliveries_open" on "deliveries" ("next_attempt_at", "id") where (status = ANY (ARRAY[\'pending\'::text, \'retrying\'::text]))',
    },
    {
      name: 'deliveries_held',
      expression:
        'create index "deliveries_held" on "deliveries" ("endpoint_id", "created_at", "id") where ((held_at is not null) and (status = ANY (ARRAY[\'pending\'::text, \'retrying\'::text])))',
    },
    {
      name: 'deliveries_queued',
      expression:
        'create index "deliveries_queued" on "deliveries" ("endpoint_id", "created_at", "id") where (queued_at is not null)',
    },
    {
      name: 'deliveries_newest',
      expression:
        'create index "deliveries_newest" on "deliveries" ("endpoint_id", "created_at" desc, "id" desc)',
    },
    {
      name: 'deliveries_by_status',
      expression:
        'create index "deliveries_by_status" on "deliveries" ("endpoint_id", "status", "created_at" desc, "id" desc)',
    },
    {
      name: 'deliveries_of_order',
      expression:
        'create index "deliveries_of_order" on "deliveries" ("order_id", "status") where (order_id is not null)',
    },
  ],
});
