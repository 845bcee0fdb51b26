import { Health } from '#contract/health.ts';
import { limits } from '#contract/limits.ts';
import { ListQuery, WebhookListQuery } from '#contract/list.ts';
import {
  CompleteVerification,
  CreateVerification,
  Verification,
  VerificationList,
} from '#contract/verification.ts';
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
import { alive } from '#services/health/alive.ts';
import { completeVerification } from '#services/verifications/complete.ts';
import { createVerification } from '#services/verifications/create.ts';
import { getVerification } from '#services/verifications/get.ts';
import { listVerifications } from '#services/verifications/list.ts';
import { createWebhook } from '#services/webhooks/create.ts';
import { deleteWebhook } from '#services/webhooks/delete.ts';
import { getWebhook } from '#services/webhooks/get.ts';
import { listWebhooks } from '#services/webhooks/list.ts';
import { rotateSecret } from '#services/webhooks/rotate-secret.ts';
import { type KeyedRoute, type Route, row } from './row.ts';

/** Every path starts with the version of the interface (specification 9). */
export const prefix = '/v1';

export const routes: readonly Route[] = [
  {
    operation: 'getHealth',
    method: 'GET',
    path: '/health',
    tag: 'Service',
    summary: 'Check that the service runs',
    description: 'Answers with the version of the product. Needs no key and has no rate limit.',
    grant: null,
    success: { status: 200, schema: Health, description: 'The service runs.' },
    run: alive,
  },
  row({
    operation: 'createVerification',
    method: 'POST',
    path: '/verifications',
    tag: 'Verifications',
    summary: 'Start a verification',
    description: [
      'Returns a verification with its `verify_url`. Give this link to your end user. The body is optional.',
      '',
      'In sandbox the verification completes at once, with the outcome in `sandbox.scenario`, unless `sandbox.auto_complete`',
      'is false. In live it completes when the end user has finished. A method that is not available in live, such as `idin`',
      'without a contract, is 422 `method_not_available`.',
      '',
      'Send an `Idempotency-Key`: a repeat with the same key and body returns the same answer and starts nothing new.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: CreateVerification,
    bodyOptional: true,
    success: { status: 201, schema: Verification, description: 'The verification.' },
    errors: ['method_not_available'],
    run: createVerification,
  }),
  row({
    operation: 'listVerifications',
    method: 'GET',
    path: '/verifications',
    tag: 'Verifications',
    summary: 'List verifications',
    description:
      "Returns one page of the verifications of the key's organisation and environment, newest first. For the next page send `next_starting_after` as `starting_after`.",
    grant: 'verify:read',
    query: ListQuery,
    success: { status: 200, schema: VerificationList, description: 'One page.' },
    errors: ['invalid_cursor'],
    run: listVerifications,
  }),
  row({
    operation: 'getVerification',
    method: 'GET',
    path: '/verifications/:id',
    tag: 'Verifications',
    summary: 'Retrieve a verification',
    description:
      'Returns the verification. `verdict` is null until it is completed. With a webhook you do not need to poll.',
    grant: 'verify:read',
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification, description: 'The verification.' },
    run: getVerification,
  }),
  row({
    operation: 'completeVerification',
    method: 'POST',
    path: '/verifications/:id/complete',
    tag: 'Verifications',
    summary: 'Complete a sandbox verification',
    description:
      'Acts in place of the end user: the verification completes with the outcome in `scenario`, and `verification.completed` is sent. Without `scenario` the one given at creation is used. In live only the end user can complete a verification.',
    grant: 'verify:create',
    sandboxOnly: true,
    body: CompleteVerification,
    bodyOptional: true,
    notFound: 'verification_not_found',
    success: { status: 200, schema: Verification, description: 'The completed verification.' },
    errors: ['already_completed'],
    run: completeVerification,
  }),
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

export const keyedRoutes = routes.filter((each): each is KeyedRoute => each.grant !== null);
