import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test('an unknown, a malformed and a foreign id are the same 404, and the foreign endpoint stays active', async () => {
  covers('4.1/webhook-delete-404', '7.1/404', '1/organisation-isolation');
  const { json } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://hooks.example.com/kyc' },
  });
  const foreign = await harness.key({ org: 'Other' });
  const remove = async (id: string, withKey = key) => {
    const answer = await call(harness, 'DELETE', `/v1/webhooks/${id}`, { key: withKey });
    return { status: answer.status, ...answer.json.error, request_id: undefined };
  };
  const unknown = await remove(randomUUID());
  expect(unknown).toMatchObject({ status: 404, type: 'not_found_error', code: 'webhook_not_found' });
  expect(await remove('not-a-uuid')).toEqual(unknown);
  expect(await remove(json.id, foreign.key)).toEqual(unknown);
  expect((await call(harness, 'GET', `/v1/webhooks/${json.id}`, { key })).json.active).toBe(true);
});
