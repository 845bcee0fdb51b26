import { expect, test } from 'vitest';
import { events } from '#contract/events.ts';
import { restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { temporalNowhere } from '#test/support/nowhere.ts';
import { eventually, signatureBy, signaturesOf, startPartner } from '#test/support/people/partner.ts';

const harness = await startHarness({ retryWaitsMs: [50, 50] });

test('the endpoint gets a signed event of the form of specification 6.1, and its delivery is of a test', async () => {
  covers('6/post-to-url', '6.2/signature-header', '6.2/event-header', '6.2/delivery-header', '6.3/hmac');
  const partner = await startPartner(harness, {}, { status: 204 });
  const { status, json } = await partner.ask('POST', `${partner.path}/test`);
  expect(status).toBe(202);
  expect(json).toEqual({ id: expect.stringMatching(/^evt_[0-9a-z]{26}$/) });

  const [event] = await partner.receiver.waitFor(1);
  if (event === undefined) throw new Error('no event');
  const body = events['webhook.test'].body.parse(JSON.parse(event.body.toString()));
  expect(body).toEqual({
    id: json.id,
    type: 'webhook.test',
    created: expect.any(Number),
    environment: 'sandbox',
    data: { webhook_id: partner.endpoint.id },
  });
  expect(Math.abs(body.created - Date.now() / 1_000)).toBeLessThan(30);
  expect(event.headers).toMatchObject({
    'x-service-event': 'webhook.test',
    'x-service-delivery': json.id,
    'content-type': 'application/json',
  });
  expect(signaturesOf(event)).toEqual([signatureBy(partner.endpoint.secret, event)]);
  await eventually(() => partner.deliveries()).toMatchObject([
    { event_id: json.id, event_type: 'webhook.test', trigger: 'test', status: 'delivered', attempts: [{}] },
  ]);
});

test('a test event has the environment of the key, whatever the endpoint listens to', async () => {
  const { org, endpoint, receiver } = await startPartner(harness, {
    endpoint: { environment: 'sandbox', event_types: ['income_check.completed'] },
  });
  const { key: live } = await harness.key({ org, environment: 'live' });
  expect((await call(harness, 'POST', `/v1/webhooks/${endpoint.id}/test`, { key: live })).status).toBe(202);
  const [event] = await receiver.waitFor(1);
  expect(JSON.parse(String(event?.body))).toMatchObject({ environment: 'live', type: 'webhook.test' });
});

test('a receiver that refuses it is asked once, and the delivery has failed', async () => {
  const partner = await startPartner(harness, {}, { status: 500 });
  await partner.ask('POST', `${partner.path}/test`, {});
  await eventually(() => partner.deliveries()).toMatchObject([
    {
      status: 'failed',
      next_attempt_at: null,
      attempts: [{ number: 1, response_status: 500, reason: 'http_status' }],
    },
  ]);
  // Waits between retries are 50 ms here. If the test event were retried, the retry would arrive before the third attempt of the
  // verification.
  await partner.ask('POST', '/verifications');
  await partner.receiver.waitFor(4);
  const types = partner.receiver.received.map(({ headers }) => headers['x-service-event']);
  expect(types.filter((type) => type === 'webhook.test')).toHaveLength(1);
});

test('while no worker runs it is accepted, and sent when one is back', async () => {
  const partner = await startPartner(harness);
  await harness.stopWorker();
  const { status, json } = await partner.ask('POST', `${partner.path}/test`);
  expect(status).toBe(202);
  expect(await partner.deliveries()).toMatchObject([
    { status: 'pending', attempts: [], next_attempt_at: expect.any(String) },
  ]);
  expect(partner.receiver.received).toEqual([]);
  await harness.startWorker();
  const [event] = await partner.receiver.waitFor(1);
  expect(event?.headers['x-service-delivery']).toBe(json.id);
});

test('while Temporal is away it is accepted at once, and the sweep starts it', async () => {
  const partner = await startPartner(harness);
  const api = await harness.startApi({ temporal: await temporalNowhere(harness) });
  const startedAt = Date.now();
  const { status, json } = await call(api, 'POST', `/v1${partner.path}/test`, { key: partner.key });
  expect(status).toBe(202);
  expect(Date.now() - startedAt).toBeLessThan(4_000);
  const [delivery] = await partner.deliveries();
  expect(delivery).toMatchObject({ event_id: json.id, status: 'pending' });

  await harness.rows`update deliveries set next_attempt_at = now() - interval '3 minutes' where id = ${delivery.id}`;
  expect(await restartOverdueDeliveries({ ...harness.ctx, retryWaitsMs: [50, 50] })).toBe(1);
  const [event] = await partner.receiver.waitFor(1);
  expect(event?.headers['x-service-delivery']).toBe(json.id);
});
