import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test('an unknown, a malformed and a foreign id are the same 404', async () => {
  covers('4.1/webhook-get-404', '7.1/404', '1/organisation-isolation');
  const created = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/kyc' },
  });
  const foreign = await harness.key({ org: 'Other' });
  const get = async (id: string, withKey = key) => {
    const { status, json } = await call(harness, 'GET', `/v1/webhooks/${id}`, { key: withKey });
    return { status, ...json.error, request_id: undefined };
  };
  const unknown = await get(randomUUID());
  expect(unknown).toMatchObject({ status: 404, type: 'not_found_error', code: 'webhook_not_found' });
  expect(await get('not-a-uuid')).toEqual(unknown);
  expect(await get(created.json.id, foreign.key)).toEqual(unknown);
});
