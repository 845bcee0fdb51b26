import type { z } from 'zod';
import { events } from '#contract/events.ts';
import type { Health } from '#contract/health.ts';
import type {
  CompleteVerification,
  CreateVerification,
  Verification,
  VerificationList,
} from '#contract/verification.ts';
import type {
  CreatedWebhookEndpoint,
  CreateWebhook,
  DeletedWebhookEndpoint,
  RotateSecret,
  TestedWebhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
} from '#contract/webhook.ts';

/** The examples of an operation in the reference. Each request body has a name that says its purpose. */
export type Examples = { bodies?: Record<string, unknown>; answer: unknown };

const completed = events['verification.completed'].example;
const test = events['webhook.test'].example;

const verification: Verification = {
  id: completed.data.verification_id,
  object: 'verification',
  status: 'completed',
  environment: 'sandbox',
  method: 'document_liveness',
  reference: completed.data.reference,
  verify_url: 'https://verify.example.com/verify/AaH-AbeDcuaK3f0Yv1xqTg',
  verdict: {
    outcome: 'approved',
    assurance_level: 'substantial',
    reasons: ['All checks passed.'],
    reviewed: false,
  },
  dossier_ref: 'dos_01m7z03e5pfhp97tz1bc0re13m',
  created_at: '2026-11-21T12:08:08.102Z',
};

const open: Verification = { ...verification, status: 'pending', environment: 'live', verdict: null };

const webhook: WebhookEndpoint = {
  id: test.data.webhook_id,
  object: 'webhook_endpoint',
  url: 'https://hooks.example.com/verifications',
  description: 'Order service',
  event_types: ['verification.completed'],
  environment: 'sandbox',
  active: true,
  created_at: '2026-11-21T12:08:07.123Z',
};

const created: CreatedWebhookEndpoint = { ...webhook, secret: 'whsec_an-example-and-no-secret-of-anybody' };

const delivery: WebhookDelivery = {
  id: '01a1fe01-b785-7b6f-8e11-5a6c3f8f9d42',
  object: 'webhook_delivery',
  event_id: completed.id,
  event_type: 'verification.completed',
  status: 'retrying',
  trigger: 'event',
  created_at: '2026-11-21T12:08:08.102Z',
  next_attempt_at: '2026-11-21T12:09:08.411Z',
  attempts: [
    {
      number: 1,
      started_at: '2026-11-21T12:08:08.131Z',
      duration_ms: 212,
      response_status: 503,
      reason: 'http_status',
    },
  ],
};

const onePage = { object: 'list', has_more: false, next_starting_after: null } as const;

const noFields = { 'Without fields': {} };

export const examples: Record<string, Examples> = {
  getHealth: { answer: { status: 'ok', version: '1.0.0' } satisfies Health },
  createVerification: {
    bodies: {
      'With your own reference': { reference: 'order-1042' },
      'Another method and another verdict': { method: 'idin', sandbox: { scenario: 'review' } },
      'Pending, as in live': { sandbox: { auto_complete: false } },
    } satisfies Record<string, z.input<typeof CreateVerification>>,
    answer: verification,
  },
  listVerifications: { answer: { ...onePage, data: [verification] } satisfies VerificationList },
  getVerification: { answer: verification },
  completeVerification: {
    bodies: {
      'With the scenario given at creation': {},
      'With another scenario': { scenario: 'rejected' },
    } satisfies Record<string, CompleteVerification>,
    answer: verification,
  },
  cancelVerification: { answer: open },
  renewVerificationLink: {
    answer: { ...open, verify_url: 'https://verify.example.com/verify/AaH-AbeDcuaK3f0Yv1xqTw' },
  },
  eraseVerification: { answer: { ...verification, reference: null } },
  createWebhook: {
    bodies: {
      'Events of both environments': { url: webhook.url },
      'Events of sandbox': { url: webhook.url, description: 'Order service', environment: 'sandbox' },
    } satisfies Record<string, z.input<typeof CreateWebhook>>,
    answer: created,
  },
  listWebhooks: { answer: { ...onePage, data: [webhook] } satisfies WebhookEndpointList },
  getWebhook: { answer: webhook },
  deleteWebhook: {
    answer: { id: webhook.id, object: 'webhook_endpoint', deleted: true } satisfies DeletedWebhookEndpoint,
  },
  testWebhook: { bodies: noFields, answer: { id: test.id } satisfies TestedWebhook },
  listWebhookDeliveries: { answer: { ...onePage, data: [delivery] } satisfies WebhookDeliveryList },
  resendWebhookDelivery: {
    bodies: noFields,
    answer: {
      ...delivery,
      id: '01a1fe21-5d0a-7c11-b0f3-0c6a2f6f7e15',
      status: 'pending',
      trigger: 'resend',
      created_at: '2026-11-21T12:42:43.210Z',
      next_attempt_at: '2026-11-21T12:42:43.210Z',
      attempts: [],
    } satisfies WebhookDelivery,
  },
  rotateWebhookSecret: {
    bodies: {
      'The old secret ends at once': {},
      'Both secrets sign for one day': { overlap_hours: 24 },
    } satisfies Record<string, z.input<typeof RotateSecret>>,
    answer: created,
  },
};

export const exampleRequestId = 'req_01m7z03e5rk2d7c4n9v6b1x8wq';
