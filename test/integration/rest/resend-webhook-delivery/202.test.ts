import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import {
  eventually,
  type Partner,
  signatureBy,
  signaturesOf,
  startPartner,
} from '#test/support/people/partner.ts';

const harness = await startHarness({ retryWaitsMs: [50] });
const resend = ({ ask, path }: Partner, id: string) => ask('POST', `${path}/deliveries/${id}/resend`);
const settled = async (partner: Partner, count: number) => {
  const statuses = async () => (await partner.deliveries()).map(({ status }: { status: string }) => status);
  await eventually(statuses).toHaveLength(count);
  await eventually(statuses).not.toContain('pending');
};

test('the same event goes out once more: same id, same bytes, a fresh signature, a delivery of its own', async () => {
  const partner = await startPartner(harness);
  await partner.ask('POST', '/verifications', { reference: 'één' });
  await settled(partner, 1);
  const [first] = await partner.deliveries();

  const { status, json } = await resend(partner, first.id);
  expect(status).toBe(202);
  expect(json).toEqual({
    ...first,
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    status: 'pending',
    trigger: 'resend',
    created_at: expect.any(String),
    next_attempt_at: expect.any(String),
    attempts: [],
  });
  expect(json.id).not.toBe(first.id);

  const [sent, again] = await partner.receiver.waitFor(2);
  if (sent === undefined || again === undefined) throw new Error('not sent');
  expect(again.body.equals(sent.body)).toBe(true);
  for (const name of ['x-service-event', 'x-service-delivery', 'content-type'])
    expect(again.headers[name]).toBe(sent.headers[name]);
  expect(signaturesOf(again)).toEqual([signatureBy(partner.endpoint.secret, again)]);
  await settled(partner, 2);
  expect(await partner.deliveries()).toMatchObject([
    {
      id: json.id,
      status: 'delivered',
      trigger: 'resend',
      event_id: first.event_id,
      attempts: [{ number: 1 }],
    },
    { ...first },
  ]);
});

test('it makes one attempt, whatever the receiver answers, and leaves the first delivery as it was', async () => {
  const partner = await startPartner(harness, {}, { status: 500 });
  await partner.ask('POST', '/verifications');
  await eventually(async () => (await partner.deliveries())[0]?.status).toBe('failed');
  const [first] = await partner.deliveries();
  expect(first.attempts).toHaveLength(2);
  const { json } = await resend(partner, first.id);
  await settled(partner, 2);
  expect(await partner.deliveries()).toMatchObject([
    { id: json.id, status: 'failed', next_attempt_at: null, attempts: [{ response_status: 500 }] },
    first,
  ]);
  expect(partner.receiver.received).toHaveLength(3);
});

test('a delivery that is still being retried can be resent meanwhile', async () => {
  const partner = await startPartner(harness, {}, { status: 503 }, { status: 200 });
  await partner.ask('POST', '/verifications');
  await eventually(async () => (await partner.deliveries())[0]?.status).toBe('retrying');
  const [first] = await partner.deliveries();
  await resend(partner, first.id);
  await eventually(() => partner.deliveries()).toMatchObject([
    { status: 'delivered', trigger: 'resend' },
    { id: first.id, status: 'retrying' },
  ]);
});

test('a test and a resend can be sent again too', async () => {
  const partner = await startPartner(harness);
  await partner.ask('POST', `${partner.path}/test`);
  await settled(partner, 1);
  const second = (await resend(partner, (await partner.deliveries())[0].id)).json;
  await settled(partner, 2);
  await resend(partner, second.id);
  await settled(partner, 3);
  const bodies = (await partner.receiver.waitFor(3)).map(({ body }) => body.toString());
  expect(new Set(bodies).size).toBe(1);
});

test('a live delivery can be sent again with a sandbox key, and stays live', async () => {
  const partner = await startPartner(harness);
  const live = await startPartner(harness, { org: partner.org, environment: 'live' });
  await live.ask('POST', `${partner.path}/test`);
  await settled(partner, 1);
  const { json } = await resend(partner, (await partner.deliveries())[0].id);
  const [, again] = await partner.receiver.waitFor(2);
  expect(JSON.parse(String(again?.body)).environment).toBe('live');
  const rows = await harness.rows`select environment from deliveries where id = ${json.id}`;
  expect(rows).toEqual([{ environment: 'live' }]);
});

test('while no worker runs it is accepted, and sent when one is back', async () => {
  const partner = await startPartner(harness);
  await partner.ask('POST', `${partner.path}/test`);
  await settled(partner, 1);
  await harness.stopWorker();
  const { status } = await resend(partner, (await partner.deliveries())[0].id);
  expect(status).toBe(202);
  expect(partner.receiver.received).toHaveLength(1);
  await harness.startWorker();
  await partner.receiver.waitFor(2);
});
