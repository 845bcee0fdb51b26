import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness();

const created = async (environment: 'live' | 'sandbox') => {
  const { key } = await harness.key({ environment });
  const body = { reference: 'kept' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  return { key, path: `/v1/verifications/${json.id}` };
};

test('in live it is not_allowed until the organisation allows it, and nothing is erased', async () => {
  const { key, path } = await created('live');
  const { status, json } = await call(harness, 'POST', `${path}/erase`, { key });
  expect(status).toBe(403);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'not_allowed' });
  expect((await call(harness, 'GET', path, { key })).json.reference).toBe('kept');
});

test('sandbox needs no permission', async () => {
  const { key, path } = await created('sandbox');
  expect((await call(harness, 'POST', `${path}/erase`, { key })).status).toBe(200);
});
