import { limits } from '#contract/limits.ts';
import { WebhookListQuery } from '#contract/list.ts';
import {
  CreatedWebhookEndpoint,
  CreateWebhook,
  DeletedWebhookEndpoint,
  DeliveryListQuery,
  NoFields,
  RotateSecret,
  TestedWebhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
} from '#contract/webhook.ts';
import { listDeliveries } from '#services/deliveries/list.ts';
import { resendDelivery } from '#services/deliveries/resend.ts';
import { testWebhook } from '#services/deliveries/test-webhook.ts';
import { createWebhook } from '#services/webhooks/create.ts';
import { deleteWebhook } from '#services/webhooks/delete.ts';
import { getWebhook } from '#services/webhooks/get.ts';
import { listWebhooks } from '#services/webhooks/list.ts';
import { rotateSecret } from '#services/webhooks/rotate-secret.ts';
import { type Route, row } from './row.ts';

/** The endpoints that concern webhooks. */
export const webhookRoutes: readonly Route[] = [
  row({
    operation: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description: [
      'Events are sent to `url` as signed POST requests. Store the signing `secret`: only this answer contains it.',
      '',
      'An endpoint belongs to the organisation. With `environment` set to `all`, the default, it receives events of sandbox and',
      'of live, whichever key registered it. So give the scope `webhooks:manage` only to keys that may decide this.',
    ].join('\n'),
    grant: 'webhooks:manage',
    body: CreateWebhook,
    success: { status: 201, schema: CreatedWebhookEndpoint, description: 'The endpoint, with its secret.' },
    errors: ['invalid_url', 'too_many_webhooks'],
    run: createWebhook,
  }),
  row({
    operation: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description:
      'Returns the endpoints of the organisation, also inactive ones, newest first. The first page has room for all endpoints that can be active.',
    grant: 'webhooks:manage',
    query: WebhookListQuery,
    success: { status: 200, schema: WebhookEndpointList, description: 'The endpoints, without secrets.' },
    errors: ['invalid_cursor'],
    run: listWebhooks,
  }),
  row({
    operation: 'getWebhook',
    method: 'GET',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Retrieve a webhook endpoint',
    description:
      'Returns the endpoint without its secret. A deactivated endpoint is still returned, with `active` false.',
    grant: 'webhooks:manage',
    notFound: 'webhook_not_found',
    success: { status: 200, schema: WebhookEndpoint, description: 'The endpoint.' },
    run: getWebhook,
  }),
  row({
    operation: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/:id',
    tag: 'Webhooks',
    summary: 'Deactivate a webhook endpoint',
    description:
      'The endpoint receives no more events, and its open deliveries are cancelled at their next attempt. A repeat gives the same answer.',
    grant: 'webhooks:manage',
    notFound: 'webhook_not_found',
    success: { status: 200, schema: DeletedWebhookEndpoint, description: 'The endpoint is deactivated.' },
    run: deleteWebhook,
  }),
  row({
    operation: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:id/test',
    tag: 'Webhook operations',
    summary: 'Send a test event',
    description:
      "Sends `webhook.test` to this endpoint, whatever it is subscribed to. There is one attempt and no retry. The answer comes as soon as the event is stored; the endpoint's deliveries show the result. Send an `Idempotency-Key` for safe retries.",
    grant: 'webhooks:manage',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'webhook_not_found',
    success: { status: 202, schema: TestedWebhook, description: 'The event is stored and will be sent.' },
    errors: ['webhook_inactive'],
    run: testWebhook,
  }),
  row({
    operation: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    tag: 'Webhook operations',
    summary: 'List deliveries',
    description:
      'Returns one page of the deliveries to this endpoint with their attempts, newest first. An endpoint belongs to the organisation, so the list has the deliveries of sandbox and of live, whichever environment the key is for.',
    grant: 'webhooks:manage',
    query: DeliveryListQuery,
    notFound: 'webhook_not_found',
    success: { status: 200, schema: WebhookDeliveryList, description: 'One page.' },
    errors: ['invalid_cursor'],
    run: listDeliveries,
  }),
  row({
    operation: 'resendWebhookDelivery',
    method: 'POST',
    path: '/webhooks/:id/deliveries/:delivery_id/resend',
    tag: 'Webhook operations',
    summary: 'Resend a delivery',
    description: `Sends the event of this delivery again, with the same event id, the same body and a new signature. The resend is a new delivery with one attempt. It works for ${limits.eventBodyRetentionDays} days, as long as the body is kept. Send an \`Idempotency-Key\` for safe retries.`,
    grant: 'webhooks:manage',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'webhook_not_found',
    success: { status: 202, schema: WebhookDelivery, description: 'The new delivery.' },
    errors: ['delivery_not_found', 'webhook_inactive', 'event_expired'],
    run: resendDelivery,
  }),
  row({
    operation: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/:id/rotate-secret',
    tag: 'Webhook operations',
    summary: 'Rotate the secret',
    description: [
      'Gives the endpoint a new `secret`. Store it: only this answer contains it. From now on it signs every attempt, also those',
      'of earlier events. For `overlap_hours` the old secret signs as well: the signature then has two `v1`, the new one first.',
      'If you rotate again during an overlap, the oldest of the three secrets stops at once.',
      '',
      'Send an `Idempotency-Key`: without it, a repeat after a lost answer rotates the secret again.',
    ].join('\n'),
    grant: 'webhooks:manage',
    idempotent: true,
    body: RotateSecret,
    bodyOptional: true,
    notFound: 'webhook_not_found',
    success: { status: 200, schema: CreatedWebhookEndpoint, description: 'The endpoint, with its secret.' },
    run: rotateSecret,
  }),
];
