import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test('a live key is not_sandbox before id and body are even looked at', async () => {
  covers('4.1/complete-live-key', '4.1/complete-sandbox-key-only', '7.1/403-not-sandbox');
  const { key } = await harness.key({ environment: 'live' });
  const { status, json } = await call(harness, 'POST', '/v1/verifications/not-a-uuid/complete', {
    key,
    rawBody: '{broken',
  });
  expect(status).toBe(403);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'not_sandbox' });
});

test('a live verification stays pending, whichever key asks', async () => {
  covers('4.1/complete-sandbox-key-only', '4.1/complete-live-key');
  const live = (await harness.key({ environment: 'live' })).key;
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: live });
  const complete = async (key: string) =>
    (await call(harness, 'POST', `/v1/verifications/${json.id}/complete`, { key })).json.error.code;
  expect(await complete(live)).toBe('not_sandbox');
  expect(await complete((await harness.key()).key)).toBe('verification_not_found');
  expect((await call(harness, 'GET', `/v1/verifications/${json.id}`, { key: live })).json).toEqual(json);
  expect(json.status).toBe('pending');
});

test('the scope comes before the environment', async () => {
  const { key } = await harness.key({ environment: 'live', grants: ['verify:read'] });
  const { json } = await call(harness, 'POST', '/v1/verifications/not-a-uuid/complete', { key });
  expect(json.error).toMatchObject({ type: 'authentication_error', code: 'insufficient_scope' });
});
