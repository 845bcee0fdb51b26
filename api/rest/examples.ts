import type { z } from 'zod';
import { events } from '#contract/events.ts';
import type { Health } from '#contract/health.ts';
import type { CreateIncomeCheck, IncomeCheck, IncomeCheckList } from '#contract/income/check.ts';
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

/** An income check as a partner sends it, with its documents in base64. */
type AsSent<Body extends { documents?: readonly object[] | undefined }> = Omit<Body, 'documents'> & {
  documents?: { filename?: string; content_type: string; content_base64: string }[];
};

/** The examples of an operation in the reference. Each request body has a name that says its purpose. */
export type Examples = { bodies?: Record<string, unknown>; answer: unknown };

const completed = events['verification.completed'].example;
const test = events['webhook.test'].example;
const incomeEvent = events['income_check.completed'].example;

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

const incomeCheck: IncomeCheck = {
  id: incomeEvent.data.income_check_id,
  object: 'income_check',
  status: 'completed',
  environment: 'sandbox',
  reference: incomeEvent.data.reference,
  verification_id: null,
  upload_url: 'https://verify.example.com/verify/AaH-AbeDehCcRC9tG44KVw',
  documents: [
    {
      id: '01a1fe01-b783-7e2c-8b11-7a90c4d5e6f1',
      object: 'income_document',
      type: 'payslip',
      sha256: '5f8c1f0f9c6f0f8b7e8e6c0fd3c4a1e2b5a69788796a5b4c3d2e1f0011223344',
      pages: 1,
      issued_on: '2026-10-25',
      period_start: '2026-10-01',
      period_end: '2026-10-31',
    },
  ],
  result: {
    currency: 'EUR',
    employer_name: 'Voorbeeld B.V.',
    period_start: '2026-10-01',
    period_end: '2026-10-31',
    gross_cents: 345_000,
    net_cents: 271_450,
    annual_gross_estimate_cents: 4_471_200,
    pay_frequency: 'monthly',
  },
  verdict: {
    outcome: 'approved',
    reasons: ['All checks passed.'],
    reviewed: false,
    checks: [
      {
        kind: 'arithmetic',
        result: 'passed',
        confidence: 0.99,
        document_id: '01a1fe01-b783-7e2c-8b11-7a90c4d5e6f1',
      },
    ],
  },
  dossier_ref: 'dos_01m7z03e5pv4w8c1n6r9t3x5bq',
  created_at: '2026-11-21T12:08:08.102Z',
};

const openIncomeCheck: IncomeCheck = {
  ...incomeCheck,
  ...{ status: 'pending', documents: [], result: null, verdict: null },
};

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
  createIncomeCheck: {
    bodies: {
      'With your own reference': { reference: 'tenant-77' },
      'Payslips of a verified person': {
        verification_id: completed.data.verification_id,
        document_types: ['payslip'],
      },
      'Another verdict': { sandbox: { scenario: 'review' } },
      'Documents that you have': {
        documents: [
          { filename: 'slip.pdf', content_type: 'application/pdf', content_base64: 'JVBERi0xLjcKJf…' },
        ],
      },
    } satisfies Record<string, AsSent<z.input<typeof CreateIncomeCheck>>>,
    answer: incomeCheck,
  },
  listIncomeChecks: { answer: { ...onePage, data: [incomeCheck] } satisfies IncomeCheckList },
  getIncomeCheck: { answer: incomeCheck },
  completeIncomeCheck: {
    bodies: {
      'With the scenario given at creation': {},
      'With another scenario': { scenario: 'rejected' },
    } satisfies Record<string, CompleteVerification>,
    answer: incomeCheck,
  },
  cancelIncomeCheck: { answer: openIncomeCheck },
  renewIncomeCheckLink: {
    answer: { ...openIncomeCheck, upload_url: 'https://verify.example.com/verify/AaH-AbeDehCcRC9tG44KVx' },
  },
  eraseIncomeCheck: { answer: { ...incomeCheck, reference: null } },
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
