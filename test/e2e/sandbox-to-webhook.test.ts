import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { typesOfVerdict } from '#policy/resources.ts';
import { sandboxDecision } from '#policy/verdicts/sandbox.ts';
import { publishVerdict } from '#services/recording/publish-verdict.ts';
import { scopeOfKey } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { type Partner, signatureBy, startPartner } from '#test/support/people/partner.ts';
import { type Received, startReceiver } from '#test/support/people/receiver.ts';

const harness = await startHarness({ retryWaitsMs: [100, 200, 300, 400, 500] });

const isSigned = (event: Received, secret: string): boolean => {
  const [, timestamp, signature] =
    /^t=(\d+),v1=([0-9a-f]{64})$/.exec(event.headers['x-service-signature'] ?? '') ?? [];
  return signature === signatureBy(secret, event) && Math.abs(Date.now() / 1_000 - Number(timestamp)) < 300;
};

const create = async ({ ask }: Pick<Partner, 'ask'>, body?: object) =>
  (await ask('POST', '/verifications', body)).json;

const deliveriesOf = (verificationId: string) =>
  harness.rows<{ status: string; attempts: number }>`
    select d.status, (select count(*)::int from delivery_attempts a where a.delivery_id = d.id) as attempts
    from deliveries d join events e on e.id = d.event_id where e.verification_id = ${verificationId}`;

/** Waits for the end of the delivery's workflow, after which there are no more attempts. */
async function endOf(verificationId: string): Promise<void> {
  const [delivery] = await harness.rows<{ id: string }>`
    select d.id from deliveries d join events e on e.id = d.event_id where e.verification_id = ${verificationId}`;
  await harness.temporal.workflow.getHandle(deliveryWorkflowId(delivery?.id ?? '')).result();
}

test('a sandbox verification completes by itself and its signed event reaches the partner', async () => {
  covers(
    '1/signed-webhook-on-verdict',
    '3/sandbox-created-completed-event',
    '4.1/create-reference-in-events',
  );
  covers('6/post-to-url', '6.1/sent-on-verdict', '6.1/id', '6.1/type', '6.1/created', '6.1/environment');
  covers('6.1/data-verification-id', '6.1/data-reference', '6.1/data-status', '6.1/data-reasons');
  covers('6.2/signature-header', '6.2/event-header', '6.2/delivery-header', '6.3/hmac', '6.4/2xx-is-success');
  const partner = await startPartner(harness, { query: '?tenant=1' });
  const { receiver, endpoint } = partner;
  const verification = await create(partner, {
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
  await expect.poll(() => deliveriesOf(verification.id)).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(receiver.received).toHaveLength(1);
});

test('each scenario arrives as its outcome, each event under an id of its own', async () => {
  covers('6.1/data-outcome', '6.1/data-assurance-level', '6.1/data-reasons', '6.2/delivery-header');
  const partner = await startPartner(harness);
  const { receiver } = partner;
  const expected = [];
  for (const scenario of ['approved', 'review', 'rejected']) {
    const { id, verdict } = await create(partner, { sandbox: { scenario } });
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
  const partner = await startPartner(harness, {}, { status: 204 });
  const { receiver, endpoint } = partner;
  const verification = await create(partner, { sandbox: { auto_complete: false, scenario: 'rejected' } });
  expect(await deliveriesOf(verification.id)).toEqual([]);
  expect(receiver.received).toHaveLength(0);
  await partner.ask('POST', `/verifications/${verification.id}/complete`);
  const [event] = await receiver.waitFor(1);
  if (event === undefined) throw new Error('no event');
  expect(isSigned(event, endpoint.secret)).toBe(true);
  expect(JSON.parse(event.body.toString())).toMatchObject({
    type: 'verification.completed',
    data: { verification_id: verification.id, reference: null, status: 'completed', outcome: 'rejected' },
  });
  await expect.poll(() => deliveriesOf(verification.id)).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(receiver.received).toHaveLength(1);
});

test('a receiver that fails twice gets the same event, byte for byte and freshly signed, until the third attempt delivers', async () => {
  covers('6.4/retries', '6.4/2xx-is-success', '6.2/delivery-header', '6.3/timestamp-and-raw-body');
  const partner = await startPartner(harness, {}, { status: 500 }, { status: 404 }, { status: 200 });
  const { receiver, endpoint } = partner;
  const verification = await create(partner, { reference: 'r' });
  const attempts = await receiver.waitFor(3);
  await expect.poll(() => deliveriesOf(verification.id)).toEqual([{ status: 'delivered', attempts: 3 }]);
  expect(receiver.received).toHaveLength(3);
  expect(new Set(attempts.map(({ body }) => body.toString('hex'))).size).toBe(1);
  expect(new Set(attempts.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
  for (const attempt of attempts) expect(isSigned(attempt, endpoint.secret)).toBe(true);
});

test('a receiver that always fails gets six attempts and no seventh', async () => {
  covers('6.4/six-attempts', '8/delivery-attempts');
  const partner = await startPartner(harness, {}, { status: 500 });
  const verification = await create(partner);
  await endOf(verification.id);
  expect(await deliveriesOf(verification.id)).toEqual([{ status: 'failed', attempts: 6 }]);
  expect(partner.receiver.received).toHaveLength(6);
});

test('a redirect is a failed attempt and is not followed', async () => {
  const target = await startReceiver({ status: 200 });
  const redirect = { status: 302, headers: { location: target.url } };
  const partner = await startPartner(harness, {}, redirect, { status: 200 });
  await create(partner);
  await partner.receiver.waitFor(2);
  expect(target.received).toHaveLength(0);
});

test('deactivating the endpoint ends its deliveries as cancelled at their next attempt', async () => {
  const partner = await startPartner(harness, {}, { status: 500 });
  const { receiver, endpoint } = partner;
  const verification = await create(partner);
  await receiver.waitFor(1);
  await harness.rows`update webhook_endpoints set active = false where id = ${endpoint.id}`;
  const made = await endOf(verification.id).then(() => deliveriesOf(verification.id));
  expect(made).toEqual([{ status: 'cancelled', attempts: receiver.received.length }]);
});

test('an event goes only to active endpoints of its environment and type, and of its organisation', async () => {
  covers('6.1/active-endpoints-only', '6.1/matching-environment-only', '6.1/subscribed-endpoints-only');
  covers('1/organisation-isolation');
  const partner = await startPartner(harness);
  const { receiver } = partner;
  const register = (path: string, body: object) =>
    partner.ask('POST', '/webhooks', { url: `${receiver.url}/${path}`, ...body });
  await register('sandbox', { environment: 'sandbox' });
  await register('live', { environment: 'live' });
  await register('reviewed', { event_types: ['verification.reviewed'] });
  const inactive = await register('inactive', {});
  await harness.rows`update webhook_endpoints set active = false where id = ${inactive.json.id}`;
  await startPartner(harness, { endpoint: { url: `${receiver.url}/stranger` } });

  const verification = await create(partner);
  await expect
    .poll(async () => (await deliveriesOf(verification.id)).map(({ status }) => status))
    .toEqual(['delivered', 'delivered']);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hooks', '/hooks/sandbox']);
});

test('a live event says live, and goes to the endpoints of live and of both environments', async () => {
  covers('6.1/environment', '6.1/matching-environment-only');
  const partner = await startPartner(harness);
  const { endpoint, org, organisationId } = partner;
  const register = async (environment: string) =>
    (await partner.ask('POST', '/webhooks', { url: endpoint.url, environment })).json.id;
  const [, ofLive] = [await register('sandbox'), await register('live')];
  const { key } = await harness.key({ org, environment: 'live' });
  const { id, reference } = (await call(harness, 'POST', '/v1/verifications', { key })).json;

  // In live only a person can complete a verification, on the hosted pages. So the test publishes the verdict itself.
  const scope = scopeOfKey({ orgId: organisationId, environment: 'live' });
  const verdict = sandboxDecision('document_liveness', 'approved');
  await harness.store.transaction(async (tx) => {
    const locked = await verificationsOf(scope, tx).lockWithSubscribers(id, typesOfVerdict);
    const { writes } = publishVerdict(tx, scope, {
      ...{ id, method: 'document_liveness', reference, verdict, at: new Date() },
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
  const { key } = await harness.key({ org: 'No hooks' });
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const rows = await harness.rows`select type from events where verification_id = ${json.id}`;
  expect(rows).toEqual([{ type: 'verification.completed' }]);
});

test('a slow receiver of one organisation holds up no create and no delivery of another', async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const slow = await startPartner(harness, {}, { status: 200, until: held });
  await Promise.all(Array.from({ length: 10 }, () => create(slow)));
  await slow.receiver.waitFor(1);
  const other = await startPartner(harness);
  await create(other);
  await other.receiver.waitFor(1);
  const ended = await harness.rows`
    select 1 from delivery_attempts a join deliveries d on d.id = a.delivery_id
    where d.endpoint_id = ${slow.endpoint.id} and a.outcome is not null`;
  expect(ended).toEqual([]);
  letGo();
});
