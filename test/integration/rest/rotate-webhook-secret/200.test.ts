import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { type Partner, signatureBy, signaturesOf, startPartner } from '#test/support/people/partner.ts';
import type { Received } from '#test/support/people/receiver.ts';

const harness = await startHarness({ retryWaitsMs: [1_500] });
const rotate = async ({ ask, path }: Partner, body?: object) => {
  const { status, json } = await ask('POST', `${path}/rotate-secret`, body);
  expect(status).toBe(200);
  return json.secret;
};

/** Sends a test event to the endpoint and returns it when it arrives. */
async function nextEvent({ ask, path, receiver }: Partner): Promise<Received> {
  const before = receiver.received.length;
  await ask('POST', `${path}/test`);
  const event = (await receiver.waitFor(before + 1))[before];
  if (event === undefined) throw new Error('no event');
  return event;
}
const endOverlap = ({ endpoint }: Partner) =>
  harness.rows`update webhook_endpoints set previous_secret_until = now() where id = ${endpoint.id}`;

test('the answer is the endpoint with a new secret, which no later answer has', async () => {
  const partner = await startPartner(harness);
  const { secret: _, ...endpoint } = partner.endpoint;
  const { json } = await partner.ask('POST', `${partner.path}/rotate-secret`);
  expect(json).toEqual({ ...endpoint, secret: expect.stringMatching(/^whsec_[\w-]{43}$/) });
  expect(json.secret).not.toBe(partner.endpoint.secret);
  expect((await partner.ask('GET', partner.path)).json).toEqual(endpoint);
});

test('without an overlap the new secret alone signs, at once', async () => {
  const partner = await startPartner(harness);
  const secret = await rotate(partner);
  const event = await nextEvent(partner);
  expect(signaturesOf(event)).toEqual([signatureBy(secret, event)]);
});

test('during the overlap both sign, the new one first; after it the new one alone', async () => {
  const partner = await startPartner(harness);
  const secret = await rotate(partner, { overlap_hours: 168 });
  const during = await nextEvent(partner);
  expect(signaturesOf(during)).toEqual([
    signatureBy(secret, during),
    signatureBy(partner.endpoint.secret, during),
  ]);
  await endOverlap(partner);
  const after = await nextEvent(partner);
  expect(signaturesOf(after)).toEqual([signatureBy(secret, after)]);
});

test('the overlap lasts as many hours as were asked for', async () => {
  const partner = await startPartner(harness);
  await rotate(partner, { overlap_hours: 5 });
  const rows = await harness.rows<{ hours: number }>`
    select extract(epoch from previous_secret_until - now())::float8 / 3600 as hours
    from webhook_endpoints where id = ${partner.endpoint.id}`;
  expect(rows[0]?.hours).toBeGreaterThan(4.9);
  expect(rows[0]?.hours).toBeLessThanOrEqual(5);
});

test('after a second rotation during an overlap only the last previous secret still signs', async () => {
  const partner = await startPartner(harness);
  const second = await rotate(partner, { overlap_hours: 24 });
  const third = await rotate(partner, { overlap_hours: 24 });
  const event = await nextEvent(partner);
  expect(signaturesOf(event)).toEqual([signatureBy(third, event), signatureBy(second, event)]);
});

test('a rotation without an overlap ends the overlap that is running', async () => {
  const partner = await startPartner(harness);
  await rotate(partner, { overlap_hours: 24 });
  const third = await rotate(partner, { overlap_hours: 0 });
  const event = await nextEvent(partner);
  expect(signaturesOf(event)).toEqual([signatureBy(third, event)]);
});

test('a retry is signed with what is valid when it is sent', async () => {
  const partner = await startPartner(harness, {}, { status: 500 }, { status: 200 });
  await partner.ask('POST', '/verifications');
  const [first] = await partner.receiver.waitFor(1);
  const secret = await rotate(partner, { overlap_hours: 1 });
  const [, retry] = await partner.receiver.waitFor(2);
  if (first === undefined || retry === undefined) throw new Error('not sent');
  expect(signaturesOf(first)).toEqual([signatureBy(partner.endpoint.secret, first)]);
  expect(signaturesOf(retry)).toEqual([
    signatureBy(secret, retry),
    signatureBy(partner.endpoint.secret, retry),
  ]);
  expect(retry.body.equals(first.body)).toBe(true);
});

test('each rotation is a line of the history, and no secret can be read in the database', async () => {
  const partner = await startPartner(harness);
  const secrets = [
    partner.endpoint.secret,
    await rotate(partner, { overlap_hours: 3 }),
    await rotate(partner),
  ];
  const rows = await harness.rows`
    select type, data from ledger where subject_id = ${partner.endpoint.id} order by sequence`;
  expect(rows).toMatchObject([
    { type: 'webhook.created' },
    { type: 'webhook.secret_rotated', data: { overlap_hours: 3, by_environment: 'sandbox' } },
    { type: 'webhook.secret_rotated', data: { overlap_hours: 0, by_environment: 'sandbox' } },
  ]);
  const stored = await harness.rows<{ text: string }>`
    select w::text || encode(secret, 'escape') || coalesce(encode(previous_secret, 'escape'), '') as text
    from webhook_endpoints w where id = ${partner.endpoint.id}
    union all select l::text from ledger l where subject_id = ${partner.endpoint.id}`;
  for (const { text } of stored) for (const secret of secrets) expect(text).not.toContain(secret);
});

test('ten rotations at once each give a secret, and the last two of the history sign', async () => {
  const partner = await startPartner(harness);
  const secrets = await Promise.all(Array.from({ length: 10 }, () => rotate(partner, { overlap_hours: 1 })));
  expect(new Set(secrets).size).toBe(10);
  const event = await nextEvent(partner);
  const known = secrets.map((secret) => signatureBy(secret, event));
  const signatures = signaturesOf(event);
  expect(signatures).toHaveLength(2);
  for (const signature of signatures) expect(known).toContain(signature);
});
