import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startReceiver } from '#test/support/people/receiver.ts';

const harness = await startHarness();
const create = async (key: string, url = 'https://hooks.example.com/kyc') =>
  (await call(harness, 'POST', '/v1/webhooks', { key, body: { url } })).json;
const remove = (key: string, id: string) => call(harness, 'DELETE', `/v1/webhooks/${id}`, { key });

test('it is reported deleted, stays readable and is inactive; doing it again answers the same', async () => {
  covers('3/webhook-delete-deactivates', '3/webhook-delete-reports', '4.1/webhook-delete');
  const { key } = await harness.key();
  const { id, secret, ...endpoint } = await create(key);
  for (const _ of ['first', 'again']) {
    const { status, json } = await remove(key, id);
    expect(status).toBe(200);
    expect(json).toEqual({ id, object: 'webhook_endpoint', deleted: true });
  }
  const { json } = await call(harness, 'GET', `/v1/webhooks/${id}`, { key });
  expect(json).toEqual({ id, ...endpoint, active: false });
});

test('its secrets are deleted with it', async () => {
  const { key } = await harness.key();
  const { id } = await create(key);
  await call(harness, 'POST', `/v1/webhooks/${id}/rotate-secret`, { key, body: { overlap_hours: 24 } });
  const secrets = () => harness.rows`
    select length(secret) > 0 as current, previous_secret is not null as previous from webhook_endpoints where id = ${id}`;
  expect(await secrets()).toEqual([{ current: true, previous: true }]);
  await remove(key, id);
  expect(await secrets()).toEqual([{ current: false, previous: false }]);
});

test('its history has one line for it, however many ask at once', async () => {
  const { key } = await harness.key();
  const { id } = await create(key);
  const answers = await Promise.all(Array.from({ length: 10 }, () => remove(key, id)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const rows = await harness.rows`select type from ledger where subject_id = ${id} order by sequence`;
  expect(rows).toEqual([{ type: 'webhook.created' }, { type: 'webhook.deactivated' }]);
});

test('no event is sent to it any more, while another endpoint gets its own', async () => {
  covers('3/webhook-delete-deactivates');
  const { key } = await harness.key({ org: 'Two endpoints' });
  const [deleted, kept] = [await startReceiver({ status: 200 }), await startReceiver({ status: 200 })];
  try {
    const { id } = await create(key, deleted.url);
    await create(key, kept.url);
    await remove(key, id);
    await call(harness, 'POST', '/v1/verifications', { key });
    await kept.waitFor(1);
    expect(deleted.received).toEqual([]);
    const rows = await harness.rows`select endpoint_id from deliveries where endpoint_id = ${id}`;
    expect(rows).toEqual([]);
  } finally {
    await Promise.all([deleted.stop(), kept.stop()]);
  }
});

test('one that is deleted makes room for another', async () => {
  const { key, organisationId } = await harness.key({ org: 'Full' });
  const { id } = await create(key);
  await harness.rows`
    insert into webhook_endpoints (id, org_id, url, event_types, environment, secret)
    select gen_random_uuid(), org_id, url, event_types, environment, secret
    from webhook_endpoints, generate_series(2, 500) where id = ${id}`;
  expect(await create(key)).toMatchObject({ error: { code: 'too_many_webhooks' } });
  await remove(key, id);
  expect(await create(key)).toMatchObject({ active: true });
  const rows = await harness.rows`
    select count(*)::int as active from webhook_endpoints where org_id = ${organisationId} and active`;
  expect(rows).toEqual([{ active: 500 }]);
});
