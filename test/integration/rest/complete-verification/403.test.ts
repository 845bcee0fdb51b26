import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.stop());

test('a live key is not_sandbox before id and body are even looked at', async () => {
  const { key } = await harness.key({ environment: 'live' });
  const { status, json } = await call(harness, 'POST', '/v1/verifications/not-a-uuid/complete', {
    key,
    rawBody: '{broken',
  });
  expect(status).toBe(403);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'not_sandbox' });
});

test('the scope comes before the environment', async () => {
  const { key } = await harness.key({ environment: 'live', grants: ['verify:read'] });
  const { json } = await call(harness, 'POST', '/v1/verifications/not-a-uuid/complete', { key });
  expect(json.error).toMatchObject({ type: 'authentication_error', code: 'insufficient_scope' });
});
