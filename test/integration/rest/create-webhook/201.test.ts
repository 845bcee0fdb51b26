import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  key = (await harness.key()).key;
});
afterAll(() => harness.stop());

test('an endpoint is active, listens to completed verifications of both environments, and shows its secret once', async () => {
  const { status, json } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/kyc' },
  });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    object: 'webhook_endpoint',
    url: 'https://hooks.example.com/kyc',
    description: null,
    event_types: ['verification.completed'],
    environment: 'all',
    active: true,
    created_at: expect.stringMatching(/Z$/),
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9_-]{43}$/),
  });
});

test('what is given is kept', async () => {
  const body = {
    url: 'https://hooks.example.com:8443/kyc?tenant=1',
    description: 'acceptatie',
    event_types: ['verification.completed', 'verification.reviewed', 'income_check.completed'],
    environment: 'live',
  };
  const { json } = await call(harness, 'POST', '/v1/webhooks', { key, body });
  expect(json).toMatchObject(body);
});

test('the secret cannot be read in the database', async () => {
  const { json } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/s' },
  });
  const { rows } = await sql<{
    row: string;
  }>`select w::text || encode(secret, 'escape') as row from webhook_endpoints w where id = ${json.id}`.execute(
    harness.store.db,
  );
  expect(rows[0]?.row).toContain('hooks.example.com');
  expect(rows[0]?.row).not.toContain(json.secret.slice(6));
});

test('each registration is a line in the ledger', async () => {
  const { json } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/l' },
  });
  const { rows } = await sql`select sequence, type, data from ledger where subject_id = ${json.id}`.execute(
    harness.store.db,
  );
  expect(rows).toEqual([
    {
      sequence: 1,
      type: 'webhook.created',
      data: { environment: 'all', event_types: ['verification.completed'], by_environment: 'sandbox' },
    },
  ]);
});
