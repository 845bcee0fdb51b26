import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { id: keyId, key } = await harness.key();

test('an endpoint is active, listens to completed verifications of both environments, and shows its secret once', async () => {
  covers('2.4/id', '2.4/object', '2.4/url', '2.4/description', '2.4/event-types', '2.4/environment');
  covers('2.4/active', '2.4/created-at', '2.4/secret-prefix', '2/iso-timestamps');
  covers('3/webhook-created-active', '4.1/webhook-create');
  const { status, json } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/kyc' },
  });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    object: 'webhook_endpoint',
    url: 'https://hooks.example.com/kyc',
    description: null,
    event_types: ['verification.completed'],
    environment: 'all',
    active: true,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
  });
});

test.each(['all', 'sandbox', 'live'])('what is given is kept, environment %s too', async (environment) => {
  covers('2.4/url', '2.4/description', '2.4/event-types', '2.4/environment', '4.1/webhook-environment');
  const body = {
    url: 'https://hooks.example.com:8443/kyc?tenant=1',
    description: 'acceptatie',
    event_types: [
      'verification.completed',
      'verification.reviewed',
      'income_check.completed',
      'income_check.reviewed',
    ],
    environment,
  };
  const { status, json } = await call(harness, 'POST', '/v1/webhooks', { key, body });
  expect(status).toBe(201);
  expect(json).toMatchObject(body);
});

test('the secret cannot be read in the database', async () => {
  const { json } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/s' },
  });
  const rows = await harness.rows<{
    row: string;
  }>`select w::text || encode(secret, 'escape') as row from webhook_endpoints w where id = ${json.id}`;
  expect(rows[0]?.row).toContain('hooks.example.com');
  expect(rows[0]?.row).not.toContain(json.secret.slice(6));
});

test('each registration is a line in the ledger', async () => {
  const { json } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/l' },
  });
  const rows = await harness.rows`select sequence, type, data from ledger where subject_id = ${json.id}`;
  expect(rows).toEqual([
    {
      sequence: 1,
      type: 'webhook.created',
      data: {
        environment: 'all',
        event_types: ['verification.completed'],
        by_environment: 'sandbox',
        actor: { kind: 'key', id: keyId },
      },
    },
  ]);
});
