import { afterEach, expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { callTool } from '#test/support/people/agent.ts';
import { startReceiver } from '#test/support/people/receiver.ts';

const harness = await startHarness({ retryWaitsMs: [300, 60_000] });
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});
const receiver = async (...replies: Parameters<typeof startReceiver>) => {
  const started = await startReceiver(...replies);
  receivers.push(started);
  return started;
};
const soon = { timeout: 15_000 };
const url = 'https://hooks.partner-test.example/kyc';
const register = (key: string, given: Record<string, unknown>) =>
  callTool(harness, key, 'create_webhook', given);
const listed = async (key: string) => (await callTool(harness, key, 'list_webhooks')).data;
const lastDelivery = async (key: string) => (await listed(key))[0].last_delivery;

test('create_webhook answers as REST does, and shows the secret only this once', async () => {
  covers('4.2/create-webhook', '4.2/create-webhook-secret-once', '4.2/list-webhooks-no-secret');
  const { key } = await harness.key({ org: 'Once' });
  const {
    headers: _,
    isError: __,
    secret,
    ...endpoint
  } = await register(key, {
    url,
    description: 'for Ana',
    event_types: ['verification.completed', 'verification.reviewed'],
    environment: 'sandbox',
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  const { json } = await call(harness, 'GET', `/v1/webhooks/${endpoint.id}`, { key });
  expect(json).toEqual(endpoint);
  const all = await callTool(harness, key, 'list_webhooks');
  expect(all).toMatchObject({ object: 'list', has_more: false, next_starting_after: null });
  expect(all.data).toEqual([{ ...endpoint, last_delivery: null }]);
  expect(JSON.stringify(all)).not.toContain('whsec_');
});

test('null for an argument of create_webhook is as if it were absent', async () => {
  const { key } = await harness.key({ org: 'Nulls' });
  const created = await register(key, { url, description: null, event_types: null, environment: null });
  expect(created).toMatchObject({
    isError: false,
    ...{ description: null, event_types: ['verification.completed'], environment: 'all' },
  });
});

test.each<[Record<string, unknown>, string]>([
  [{}, 'invalid_parameter'],
  [{ url, secret: 'whsec_mine' }, 'invalid_parameter'],
  [{ url, event_types: [] }, 'invalid_parameter'],
  [{ url, event_types: ['verification.deleted'] }, 'invalid_parameter'],
  [{ url: null }, 'invalid_parameter'],
  [{ url, event_type: null }, 'invalid_parameter'],
  [{ url: 'http://hooks.partner-test.example' }, 'invalid_url'],
  [{ url: 'https:hooks.partner-test.example' }, 'invalid_url'],
  [{ url: 'https://169.254.169.254/latest/meta-data' }, 'invalid_url'],
  [{ url: `https://hooks.partner-test.example/${'x'.repeat(50_000)}` }, 'invalid_url'],
])('create_webhook refuses by a result, and registers nothing', async (given, code) => {
  covers('4.2/create-webhook', '4.2/tool-failure-is-a-result');
  const { key } = await harness.key({ org: 'Refused' });
  const { isError, error } = await register(key, given);
  expect([isError, error.code]).toEqual([true, code]);
  if (code === 'invalid_parameter')
    expect(error.message).toMatch(
      /Allowed arguments: url \(required\), description, event_types, environment\.$/,
    );
  expect(await listed(key)).toEqual([]);
});

test('list_webhooks shows how the latest attempt went: delivered, retrying, cancelled', async () => {
  covers('4.2/list-webhooks', '4.2/list-webhooks-no-secret');
  const { key } = await harness.key({ org: 'Followed' });
  const { url } = await receiver({ status: 204 }, { status: 500 }, { status: 503 });
  const { id } = await register(key, { url });
  const startedAt = Date.now();
  await callTool(harness, key, 'start_verification');
  await expect
    .poll(() => lastDelivery(key), soon)
    .toEqual({
      event_type: 'verification.completed',
      status: 'delivered',
      attempts: 1,
      last_attempt_at: expect.any(String),
      response_status: 204,
    });
  const { last_attempt_at } = await lastDelivery(key);
  expect(Math.abs(Date.parse(last_attempt_at) - startedAt)).toBeLessThan(20_000);

  await callTool(harness, key, 'start_verification');
  await expect
    .poll(() => lastDelivery(key), soon)
    .toMatchObject({ status: 'retrying', attempts: 2, response_status: 503 });
  await call(harness, 'DELETE', `/v1/webhooks/${id}`, { key });
  await harness.rows`update deliveries set status = 'cancelled' where endpoint_id = ${id} and status = 'retrying'`;
  expect((await listed(key))[0]).toMatchObject({
    active: false,
    last_delivery: { status: 'cancelled', attempts: 2, response_status: 503 },
  });
});

test('the latest attempt counts, not the newest delivery, and no attempt is no delivery', async () => {
  covers('4.2/list-webhooks');
  const { key } = await harness.key({ org: 'Latest' });
  const { url } = await receiver({ status: 500 }, { status: 200 });
  const { id } = await register(key, { url });
  const first = await callTool(harness, key, 'start_verification');
  await expect.poll(() => lastDelivery(key), soon).toMatchObject({ response_status: 500 });
  await expect.poll(() => lastDelivery(key), soon).toMatchObject({ status: 'delivered', attempts: 2 });
  await callTool(harness, key, 'start_verification');
  await expect.poll(() => lastDelivery(key), soon).toMatchObject({ status: 'delivered', attempts: 1 });

  // The rows now look as if the first delivery had been retried after the second.
  await harness.rows`update delivery_attempts set started_at = now() + interval '1 minute' where number = 2 and delivery_id in (
    select d.id from deliveries d join events e on e.id = d.event_id where e.verification_id = ${first.id})`;
  expect(await lastDelivery(key)).toMatchObject({ status: 'delivered', attempts: 2, response_status: 200 });

  await harness.rows`delete from delivery_attempts where delivery_id in (
    select id from deliveries where endpoint_id = ${id})`;
  expect(await lastDelivery(key)).toBeNull();
});

test('list_webhooks holds 25 at most and says that there are more; other organisations have their own', async () => {
  covers('4.2/list-bound', '8/agent-page', '1/organisation-isolation');
  const { key } = await harness.key({ org: 'Lots' });
  const ids = [];
  for (let i = 0; i < 26; i++) ids.push((await register(key, { url })).id);
  const page = await callTool(harness, key, 'list_webhooks');
  expect(page.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(1).reverse());
  expect(page.has_more).toBe(true);
  const { key: live } = await harness.key({ org: 'Lots', environment: 'live' });
  expect(await listed(live)).toHaveLength(25);
  expect(await listed((await harness.key({ org: 'Few' })).key)).toEqual([]);
});
