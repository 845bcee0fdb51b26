import { defineEntity, p } from '@mikro-orm/core';
import { createdAt } from '../columns.ts';
import { WebhookEndpoint } from './webhook-endpoint.ts';

/**
 * An endpoint that was deactivated and may still have open deliveries (decision 50). The row is deleted when no delivery of the
 * endpoint is open.
 */
export const Deactivation = defineEntity({
  name: 'Deactivation',
  tableName: 'deactivations',
  properties: {
    endpointId: () => p.manyToOne(WebhookEndpoint).mapToPk().joinColumn('endpoint_id').primary(),
    createdAt: createdAt(),
  },
});
