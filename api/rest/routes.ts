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

/** The interface's version stands in every path (specification 9). */
export const prefix = '/v1';

export const routes: readonly Route[] = [
  {
    operation: 'getHealth',
    method: 'GET',
    path: '/health',
    tag: 'Service',
    summary: 'Is the service up?',
    description: 'Says that the process answers, and its version. Needs no key and counts against no limit.',
    grant: null,
    success: { status: 200, schema: Health, description: 'The service answers.' },
    run: alive,
  },
  row({
    operation: 'createVerification',
    method: 'POST',
    path: '/verifications',
    tag: 'Verifications',
    summary: 'Start a verification',
    description: [
      'Returns a verification with the `verify_url` to hand to your end user. The whole body may be left out.',
      '',
      'In sandbox the verification completes at once with the outcome that `sandbox.scenario` names, unless',
      '`sandbox.auto_complete` is false. In live it stays `pending` until the end user has finished.',
      '',
      'Send an `Idempotency-Key`: a repeat with the same key and body returns the same answer and starts nothing new.',
    ].join('\n'),
    grant: 'verify:create',
    idempotent: true,
    body: CreateVerification,
    bodyOptional: true,
    success: { status: 201, schema: Verification, description: 'The verification.' },
    run: createVerification,
  }),
  row({
    operation: 'listVerifications',
    method: 'GET',
    path: '/verifications',
    tag: 'Verifications',
    summary: 'List verifications',
    description:
      "The verifications of the key's organisation and environment, newest first, a page at a time. For the next page send `next_starting_after` as `starting_after`.",
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
      'Where the verification stands; `verdict` is null until it is completed. A webhook saves you the polling.',
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
      'Plays the end user in sandbox: the verification completes with the outcome of `scenario`, or without one with that of its creation, and `verification.completed` is sent. In live only the end user completes a verification.',
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
      'Events are sent to `url` as signed POST requests. The signing `secret` is in this answer and in no other: store it.',
      '',
      'An endpoint belongs to the organisation: with `environment` left at `all` it receives events of sandbox and of live,',
      'whichever key registered it. Give `webhooks:manage` only to keys that may decide that.',
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
      'The endpoints of the organisation, inactive ones too, newest first. Every endpoint that can be active fits on the first page.',
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
    description: 'The endpoint without its secret. A deactivated one is still here, with `active` false.',
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
      'Nothing more is sent to it; deliveries under way end at their next attempt. Repeating it answers the same.',
    grant: 'webhooks:manage',
    notFound: 'webhook_not_found',
    success: { status: 200, schema: DeletedWebhookEndpoint, description: 'It is deactivated.' },
    run: deleteWebhook,
  }),
  row({
    operation: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:id/test',
    tag: 'Webhook operations',
    summary: 'Send a test event',
    description: [
      'Sends `webhook.test` to this endpoint, whatever it is subscribed to, once and without a retry. Answers as soon as the',
      "event is stored; what became of it stands in the endpoint's deliveries. Send an `Idempotency-Key` to repeat it safely.",
    ].join('\n'),
    grant: 'webhooks:manage',
    idempotent: true,
    body: NoFields,
    bodyOptional: true,
    notFound: 'webhook_not_found',
    success: { status: 202, schema: TestedWebhook, description: 'The event is on its way.' },
    errors: ['webhook_inactive'],
    run: testWebhook,
  }),
  row({
    operation: 'listWebhookDeliveries',
    method: 'GET',
    path: '/webhooks/:id/deliveries',
    tag: 'Webhook operations',
    summary: 'List deliveries',
    description: [
      'What was sent to this endpoint and what became of it, newest first, a page at a time. An endpoint belongs to the',
      'organisation, so its deliveries of sandbox and of live are both here, whichever the key is for.',
    ].join('\n'),
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
    description: [
      'Sends the event of this delivery once more: the same event id and the same bytes, freshly signed, as a delivery of its',
      `own with one attempt. Works for ${limits.eventBodyRetentionDays} days, as long as the body is kept. Send an`,
      '`Idempotency-Key` to repeat it safely.',
    ].join('\n'),
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
      'Gives the endpoint a new `secret`, which is in this answer and in no other. It signs from now on, retries of earlier',
      'events too. For `overlap_hours` the present secret signs as well: the signature then has two `v1`, the new one first.',
      'Rotated again during an overlap, only the last previous secret still signs.',
      '',
      'Send an `Idempotency-Key`: without one, a repeat after a lost answer rotates again.',
    ].join('\n'),
    grant: 'webhooks:manage',
    idempotent: true,
    body: RotateSecret,
    bodyOptional: true,
    notFound: 'webhook_not_found',
    success: {
      status: 200,
      schema: CreatedWebhookEndpoint,
      description: 'The endpoint, with its new secret.',
    },
    run: rotateSecret,
  }),
];

/** The rows that need a key. */
export const keyedRoutes = routes.filter((each): each is KeyedRoute => each.grant !== null);
