import { defineEntity, p } from '@mikro-orm/core';
import { createdAt, instant } from '../columns.ts';
import { Organisation } from '../organisations/organisation.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

/** `resend`: send the failed deliveries of a span of time again. `resume`: release what waits since the endpoint was paused. */
export type DeliveryOrderKind = 'resend' | 'resume';

/** The order of a member about many deliveries of an endpoint. The unique index lets one of each kind be open. */
export const DeliveryOrder = defineEntity({
  name: 'DeliveryOrder',
  tableName: 'delivery_orders',
  properties: {
    id: p.uuid().primary(),
    orgId: () => p.manyToOne(Organisation).mapToPk().joinColumn('org_id'),
    endpointId: () => p.manyToOne(WebhookEndpoint).mapToPk().joinColumn('endpoint_id').deleteRule('cascade'),
    kind: p.text().$type<DeliveryOrderKind>(),
    /** Null: the operator. */
    memberId: p.uuid().nullable(),
    /** The order is about deliveries that were created in this span. */
    createdFrom: instant().nullable(),
    createdBefore: instant().nullable(),
    /** How many the order was about to send when it was given. */
    expected: p.integer(),
    /** The last delivery that was looked at. All before it are done. */
    placeAt: instant().nullable(),
    placeId: p.uuid().nullable(),
    /** How many were looked at, and how many of them were sent again. */
    lookedAt: p.integer().default(0),
    sent: p.integer().default(0),
    /** True if the order ended because it may send no more, and more is to be sent. */
    moreLeft: p.boolean().default(false),
    createdAt: createdAt(),
    endedAt: instant().nullable(),
  },
  indexes: [
    {
      name: 'delivery_orders_open',
      expression:
        'create unique index "delivery_orders_open" on "delivery_orders" ("endpoint_id", "kind") where (ended_at is null)',
    },
    {
      name: 'delivery_orders_newest_of_kind',
      expression:
        'create index "delivery_orders_newest_of_kind" on "delivery_orders" ("endpoint_id", "org_id", "kind", "created_at" desc, "id" desc)',
    },
  ],
});
