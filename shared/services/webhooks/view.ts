import type { WebhookEndpoint } from '#contract/webhook.ts';
import type { WebhookEndpointRow } from '#store/webhooks/webhook-endpoints.ts';

/** An endpoint as partners receive it (specification 2.4). It never contains the secret. */
export const webhookView = (row: WebhookEndpointRow): WebhookEndpoint => ({
  id: row.id,
  object: 'webhook_endpoint',
  url: row.url,
  description: row.description,
  event_types: row.eventTypes,
  environment: row.environment,
  active: row.active,
  created_at: row.createdAt.toISOString(),
});
