import { createHmac } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { sandboxDecision } from '#policy/sandbox.ts';
import { publishVerdict, verdictEvent } from '#services/verifications/publish-verdict.ts';
import { scopeOfKey } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { lockVerificationAndSubscribersOfAnyOrganisation } from '#store/verifications.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { type Received, startReceiver } from '#test/support/receiver.ts';

const harness = await startHarness({ retryWaitsMs: [100, 200, 300, 400, 500] });
let key: string;
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

/** A partner of its own, whose receiver answers by script. */
async function partner(...replies: Parameters<typeof startReceiver>) {
  const org = `Partner ${Math.random()}`;
  key = (await harness.key({ org })).key;
  const receiver = await startReceiver(...replies);
  receivers.push(receiver);
  const { json: endpoint } = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: `${receiver.url}?tenant=1` },
  });
  return { receiver, endpoint, org };
}

const create = (body?: unknown, withKey = key) =>
  call(harness, 'POST', '/v1/verifications', { key: withKey, body }).then(({ json }) => json);

/** Written from section 6.3 of the specification alone, with nothing of the product's. */
function isSigned({ headers, body }: Received, secret: string): boolean {
  const [, timestamp, signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['x-service-signature'] ?? '') ?? [];
  const expected = createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(Buffer.concat([Buffer.from(`${timestamp}.`), body]))
    .digest('hex');
  return signature === expected && Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300;
}

const deliveryOf = async (verificationId: string) =>
  await harness.rows<{ status: string; attempts: number }>`
      select d.status, (select count(*)::int from delivery_attempts a where a.delivery_id = d.id) as attempts
      from deliveries d join events e on e.id = d.event_id where e.verification_id = ${verificationId}`;

test('a sandbox verification completes by itself and its signed event reaches the partner', async () => {
  covers(
    '1/signed-webhook-on-verdict',
    '3/sandbox-created-completed-event',
    '4.1/create-reference-in-events',
  );
  covers('6/post-to-url', '6.1/sent-on-verdict', '6.1/id', '6.1/type', '6.1/created', '6.1/environment');
  covers('6.1/data-verification-id', '6.1/data-reference', '6.1/data-status', '6.1/data-reasons');
  covers('6.2/signature-header', '6.2/event-header', '6.2/delivery-header', '6.3/hmac', '6.4/2xx-is-success');
  const { receiver, endpoint } = await partner({ status: 200 });
  const verification = await create({
    reference: 'klant-42',
    method: 'idin',
    sandbox: { scenario: 'review' },
  });
  const [event] = await receiver.waitFor(1);
  if (event === undefined) throw new Error('no event');

  expect([event.method, event.path]).toEqual(['POST', '/hooks?tenant=1']);
  expect(isSigned(event, endpoint.secret)).toBe(true);
  const body = JSON.parse(event.body.toString());
  expect(body).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
    type: 'verification.completed',
    created: Math.floor(Date.parse(verification.created_at) / 1_000),
    environment: 'sandbox',
    data: {
      verification_id: verification.id,
      reference: 'klant-42',
      status: 'completed',
      outcome: 'review',
      assurance_level: 'low',
      reasons: ['The identity attributes are in doubt; a person makes the final assessment.'],
    },
  });
  expect(event.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-event': 'verification.completed',
    'x-service-delivery': body.id,
  });
  await expect.poll(() => deliveryOf(verification.id)).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(receiver.received).toHaveLength(1);
});

test('each scenario arrives as its outcome, each event under an id of its own', async () => {
  covers('6.1/data-outcome', '6.1/data-assurance-level', '6.1/data-reasons', '6.2/delivery-header');
  const { receiver } = await partner({ status: 200 });
  const expected = [];
  for (const scenario of ['approved', 'review', 'rejected']) {
    const { id, verdict } = await create({ sandbox: { scenario } });
    const { assurance_level, reasons } = verdict;
    expect(typeof assurance_level).toBe('string');
    expect(reasons).toEqual([expect.any(String)]);
    expected.push(
      expect.objectContaining({ verification_id: id, outcome: scenario, assurance_level, reasons }),
    );
  }
  const events = (await receiver.waitFor(3)).map(({ body }) => JSON.parse(body.toString()));
  expect(events.map(({ data }) => data)).toEqual(expect.arrayContaining(expected));
  const ids = receiver.received.map(({ headers }) => headers['x-service-delivery']);
  expect(ids).toEqual(events.map(({ id }) => id));
  expect(new Set(ids).size).toBe(3);
});

test('a pending verification sends its event once it is completed, and a missing reference is null', async () => {
  covers('1/signed-webhook-on-verdict', '3/complete-event', '6.1/sent-on-verdict', '6.4/2xx-is-success');
  covers('6.1/data-reference');
  const { receiver, endpoint } = await partner({ status: 204 });
  const verification = await create({ sandbox: { auto_complete: false, scenario: 'rejected' } });
  expect(await deliveryOf(verification.id)).toEqual([]);
  expect(receiver.received).toHaveLength(0);
  await call(harness, 'POST', `/v1/verifications/${verification.id}/complete`, { key });
  const [event] = await receiver.waitFor(1);
  if (event === undefined) throw new Error('no event');
  expect(isSigned(event, endpoint.secret)).toBe(true);
  expect(JSON.parse(event.body.toString())).toMatchObject({
    type: 'verification.completed',
    data: { verification_id: verification.id, reference: null, status: 'completed', outcome: 'rejected' },
  });
  await expect.poll(() => deliveryOf(verification.id)).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that fails twice gets the same event, byte for byte and freshly signed, until the third attempt delivers', async () => {
  covers('6.4/retries', '6.4/2xx-is-success', '6.2/delivery-header', '6.3/timestamp-and-raw-body');
  const { receiver, endpoint } = await partner({ status: 500 }, { status: 404 }, { status: 200 });
  const verification = await create({ reference: 'r' });
  const attempts = await receiver.waitFor(3);
  await expect.poll(() => deliveryOf(verification.id)).toEqual([{ status: 'delivered', attempts: 3 }]);
  expect(receiver.received).toHaveLength(3);
  expect(new Set(attempts.map(({ body }) => body.toString('hex'))).size).toBe(1);
  expect(new Set(attempts.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  for (const attempt of attempts) expect(isSigned(attempt, endpoint.secret)).toBe(true);
});

test('a receiver that always fails gets six attempts and no seventh', async () => {
  covers('6.4/six-attempts', '8/delivery-attempts');
  const { receiver } = await partner({ status: 500 });
  const verification = await create();
  await expect
    .poll(() => deliveryOf(verification.id), { timeout: 15_000 })
    .toEqual([{ status: 'failed', attempts: 6 }]);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(receiver.received).toHaveLength(6);
});

test('a redirect is a failed attempt and is not followed', async () => {
  const target = await startReceiver({ status: 200 });
  receivers.push(target);
  const { receiver } = await partner({ status: 302, headers: { location: target.url } }, { status: 200 });
  await create();
  await receiver.waitFor(2);
  expect(target.received).toHaveLength(0);
});

test('deactivating the endpoint ends its deliveries as cancelled at their next attempt', async () => {
  const { receiver, endpoint } = await partner({ status: 500 });
  const verification = await create();
  await receiver.waitFor(1);
  await harness.rows`update webhook_endpoints set active = false where id = ${endpoint.id}`;
  const status = async () => (await deliveryOf(verification.id))[0]?.status;
  await expect.poll(status, { timeout: 10_000 }).toBe('cancelled');
  const made = receiver.received.length;
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(receiver.received).toHaveLength(made);
});

test('an event goes only to active endpoints of its environment and type, and of its organisation', async () => {
  covers('6.1/active-endpoints-only', '6.1/matching-environment-only', '6.1/subscribed-endpoints-only');
  covers('1/organisation-isolation');
  const { receiver, org } = await partner({ status: 200 });
  const register = (path: string, body: object) =>
    call(harness, 'POST', '/v1/webhooks', { key, body: { url: `${receiver.url}/${path}`, ...body } });
  await register('sandbox', { environment: 'sandbox' });
  await register('live', { environment: 'live' });
  await register('reviewed', { event_types: ['verification.reviewed'] });
  const inactive = await register('inactive', {});
  await harness.rows`update webhook_endpoints set active = false where id = ${inactive.json.id}`;
  const stranger = (await harness.key({ org: `${org} other` })).key;
  await call(harness, 'POST', '/v1/webhooks', { key: stranger, body: { url: `${receiver.url}/stranger` } });

  const verification = await create();
  await expect
    .poll(async () => (await deliveryOf(verification.id)).map(({ status }) => status))
    .toEqual(['delivered', 'delivered']);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hooks/sandbox', '/hooks?tenant=1']);
});

test('a live event says live, and goes to the endpoints of live and of both environments', async () => {
  covers('6.1/environment', '6.1/matching-environment-only');
  const { endpoint, org } = await partner({ status: 200 });
  const register = async (environment: string) =>
    (await call(harness, 'POST', '/v1/webhooks', { key, body: { url: endpoint.url, environment } })).json.id;
  const [, ofLive] = [await register('sandbox'), await register('live')];
  const { key: live, organisationId } = await harness.key({ org, environment: 'live' });
  const { id, reference } = await create(undefined, live);

  // Until the flow that end users complete is there, nothing else brings a live verdict about.
  const scope = scopeOfKey({ orgId: organisationId, environment: 'live' });
  const verdict = sandboxDecision('document_liveness', 'approved');
  await harness.store.transaction(async (tx) => {
    const locked = await lockVerificationAndSubscribersOfAnyOrganisation(tx, id, verdictEvent);
    const { writes } = publishVerdict(tx, scope, {
      ...{ id, reference, verdict, at: new Date() },
      subscribers: locked?.subscribers ?? [],
    });
    await writeAtOnce(tx, writes);
  });
  const rows = await harness.rows<{ endpoint: string; body: Buffer }>`
    select d.endpoint_id as endpoint, e.body from deliveries d join events e on e.id = d.event_id
    where e.verification_id = ${id}`;
  expect(rows.map(({ endpoint }) => endpoint).sort()).toEqual([endpoint.id, ofLive].sort());
  expect(JSON.parse(String(rows[0]?.body))).toMatchObject({
    environment: 'live',
    data: { verification_id: id },
  });
});

test('a verification without any endpoint has its event all the same', async () => {
  key = (await harness.key({ org: 'No hooks' })).key;
  const verification = await create();
  const rows = await harness.rows`select type from events where verification_id = ${verification.id}`;
  expect(rows).toEqual([{ type: 'verification.completed' }]);
});

test('a slow receiver of one organisation holds up no create and no delivery of another', async () => {
  await partner({ status: 200, delayMs: 5_000 });
  await Promise.all(Array.from({ length: 10 }, () => create()));
  const { receiver } = await partner({ status: 200 });
  const startedAt = Date.now();
  await create();
  await receiver.waitFor(1);
  expect(Date.now() - startedAt).toBeLessThan(4_000);
});
