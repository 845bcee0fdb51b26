import { describe, expect, test } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import { grants } from '#contract/enums.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

const scopeOf: Record<string, string> = {
  createVerification: 'verify:create',
  getVerification: 'verify:read',
  listVerifications: 'verify:read',
  completeVerification: 'verify:create',
  cancelVerification: 'verify:create',
  renewVerificationLink: 'verify:create',
  eraseVerification: 'verify:create',
  createIncomeCheck: 'verify:create',
  getIncomeCheck: 'verify:read',
  listIncomeChecks: 'verify:read',
  completeIncomeCheck: 'verify:create',
  cancelIncomeCheck: 'verify:create',
  renewIncomeCheckLink: 'verify:create',
  eraseIncomeCheck: 'verify:create',
  createWebhook: 'webhooks:manage',
  listWebhooks: 'webhooks:manage',
  getWebhook: 'webhooks:manage',
  deleteWebhook: 'webhooks:manage',
  testWebhook: 'webhooks:manage',
  listWebhookDeliveries: 'webhooks:manage',
  resendWebhookDelivery: 'webhooks:manage',
  rotateWebhookSecret: 'webhooks:manage',
};

test('each operation has its scope in the list above', () => {
  expect(keyedRoutes.map(({ operation }) => operation).sort()).toEqual(Object.keys(scopeOf).sort());
});

describe.each(keyedRoutes)('$method $path', ({ operation, method, path }) => {
  test(`needs the scope ${scopeOf[operation]}, which is looked at before the body`, async () => {
    covers('4.1/create-scope', '4.1/create-403', '4.1/webhook-create-scope', '4.1/webhook-create-403');
    covers('5/insufficient-scope', '7.1/403-insufficient-scope');
    const { key } = await harness.key({ grants: grants.filter((grant) => grant !== scopeOf[operation]) });
    const { status, json } = await call(harness, method, `/v1${path.replace(':id', 'x')}`, {
      key,
      rawBody: '{broken',
    });
    expect(status).toBe(403);
    expect(json.error).toMatchObject({ type: 'authentication_error', code: 'insufficient_scope' });
  });

  test('needs no other scope', async () => {
    covers('4.1/create-scope', '4.1/webhook-create-scope', '5/scopes');
    const { key } = await harness.key({ grants: grants.filter((grant) => grant === scopeOf[operation]) });
    const { status } = await call(harness, method, `/v1${path.replace(':id', 'x')}`, {
      key,
      rawBody: '{broken',
    });
    expect([200, 400, 404]).toContain(status);
  });
});
