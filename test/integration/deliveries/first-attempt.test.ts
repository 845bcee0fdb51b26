import { beforeEach, expect, test } from 'vitest';
import { type DeliveryInput, deliveryWorkflowId } from '#contract/workflows.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import type { Posted, Sender } from '#platform/outbound/http.ts';
import { createAttempts } from '#services/attempts/attempt-in-turn.ts';
import { recordVerification } from '#services/recording/record.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import { answered, createMany, newClaim } from './support.ts';

/** The first attempt of a delivery leaves as soon as its event is committed, from the process that recorded it. */

const harness = await startHarness();
let partner: Partner;
let sent: string[];
let respond: () => Promise<Posted>;

const sender: Sender = {
  async post(_, headers) {
    sent.push(String(headers['X-Service-Delivery']));
    return respond();
  },
  close: async () => undefined,
};
let started: DeliveryInput[];
let start: (input: DeliveryInput) => Promise<void>;
/** The workflows of these processes do not begin, so only the test asks for further attempts. */
const ctx = () => ({
  ...{ ...harness.ctx, sender, retryWaitsMs: [5_000, 300_000] },
  temporal: { ...harness.ctx.temporal, startDelivery: (input: DeliveryInput) => start(input) },
});

/** The attempts of one more worker process. */
const newProcess = (limits = { attempts: 200, perEndpoint: 20 }, its = ctx()) => {
  const attempts = createAttempts(its, limits);
  return {
    ...attempts,
    /** Records an event, and returns the delivery of its only endpoint. */
    async records(afterwards = async () => undefined): Promise<string> {
      const claim = await newClaim(harness, partner);
      const recorded = await attempts.first.after(claim, async (claimFirst) => {
        const state = await recordVerification({ ...its, claimFirst }, claim);
        await afterwards();
        return state;
      });
      return recorded.deliveryIds[0] ?? '';
    },
  };
};
const attemptsOf = (deliveryId: string) =>
  harness.rows`select number, outcome, reason from delivery_attempts where delivery_id = ${deliveryId} order by number`;

beforeEach(async () => {
  sent = [];
  started = [];
  start = async (input) => void started.push(input);
  respond = async () => answered(200);
  partner = await startPartner(harness);
});

test('it leaves before the workflow of the delivery begins, which ends with its outcome and without a second one', async () => {
  await createMany(harness, partner.key, 1);
  await partner.receiver.waitFor(1);
  const [{ id, begun, started } = {}] = await harness.rows<{ id: string; begun: Date; started: Date }>`
    select d.id, d.created_at as begun, a.started_at as started
    from deliveries d join delivery_attempts a on a.delivery_id = d.id where d.org_id = ${partner.organisationId}`;
  const run = harness.temporal.workflow.getHandle(deliveryWorkflowId(id ?? ''));
  expect(await run.result()).toEqual({ status: 'delivered', attempts: 1 });
  expect(Number(started)).toBeGreaterThanOrEqual(Number(begun) - 1);
  expect((await run.describe()).startTime.getTime()).toBeGreaterThanOrEqual(Number(started));
  expect(partner.receiver.received).toHaveLength(1);
});

test('of a slow receiver the workflow waits for the outcome without blocking a workflow task', async () => {
  const slow = await startPartner(harness, {}, { status: 200, delayMs: 1_500 });
  await createMany(harness, slow.key, 1);
  const [{ id } = {}] = await harness.rows<{ id: string }>`
    select id from deliveries where org_id = ${slow.organisationId}`;
  const run = harness.temporal.workflow.getHandle(deliveryWorkflowId(id ?? ''));
  expect(await run.result()).toEqual({ status: 'delivered', attempts: 1 });
  const { events } = await run.fetchHistory();
  expect(events?.filter((each) => each.activityTaskScheduledEventAttributes)).toHaveLength(1);
  expect(slow.receiver.received).toHaveLength(1);
});

test('its failure is followed by the wait of the schedule', async () => {
  respond = async () => answered(500);
  const { records, attempt } = newProcess();
  const deliveryId = await records();
  const report = await attempt({ deliveryId, number: 1, waitMs: 5_000, onTheSpot: true });
  expect(report).toMatchObject({ status: 'retrying', attempts: 1, responseStatus: 500 });
  expect(report).toHaveProperty('waitMs', expect.closeTo(5_000, -3));
  expect(sent).toHaveLength(1);
  // The report is given once. After that the row says what is due, for example after the database was restored.
  expect(await attempt({ deliveryId, number: 1, waitMs: 5_000, onTheSpot: true })).toEqual({
    elsewhere: true,
  });
  await harness.rows`update deliveries set next_attempt_at = now() + interval '1 hour' where id = ${deliveryId}`;
  const asked = await attempt({ deliveryId, number: 1, waitMs: 5_000, begun: true });
  expect(asked).toHaveProperty('waitMs', expect.closeTo(3_600_000, -4));
});

test('nothing leaves if the event is not committed, and its turn is free again', async () => {
  const { records } = newProcess({ attempts: 200, perEndpoint: 1 });
  const [{ before } = {}] = await harness.rows`select count(*)::int as before from delivery_attempts`;
  const lost = { ...ctx(), store: { ...harness.store, transaction: notCommitted } };
  await expect(newProcess(undefined, lost).records()).rejects.toThrow('not committed');
  const failing = records(() => Promise.reject(new Error('too late')));
  await expect(failing).rejects.toThrow('too late');
  expect(sent).toEqual([]);
  const [{ after } = {}] = await harness.rows`select count(*)::int as after from delivery_attempts`;
  // The second one was committed, so its attempt counts as made.
  expect(after).toBe(Number(before) + 1);
  await records();
  await expect.poll(() => sent).toHaveLength(1);
});

const notCommitted: typeof harness.store.transaction = (work) =>
  harness.store.transaction(async (tx) => {
    await work(tx);
    throw new Error('not committed');
  });

test('what was claimed by a process that died is never sent again', async () => {
  const claim = await newClaim(harness, partner);
  const dying = newProcess();
  await dying.first
    .after(claim, async (claimFirst) => {
      await recordVerification({ ...ctx(), claimFirst }, claim);
      throw new Error('the process died');
    })
    .catch(() => undefined);
  const [{ id: deliveryId } = {}] = await harness.rows<{ id: string }>`
    select id from deliveries where org_id = ${partner.organisationId}`;
  const other = newProcess();
  const order = { deliveryId: deliveryId ?? '', number: 1, waitMs: 5_000 };
  expect(await other.attempt({ ...order, onTheSpot: true })).toEqual({ elsewhere: true });
  const asked = other.attempt({ ...order, begun: true });
  await harness.rows`
    update delivery_attempts set started_at = started_at - interval '21 seconds' where delivery_id = ${order.deliveryId}`;
  // The wait for the dead process is the longest that an attempt may take.
  expect(await asked).toMatchObject({ status: 'retrying', attempts: 1, reason: 'outcome_unknown' });
  expect(await attemptsOf(order.deliveryId)).toEqual([
    { number: 1, outcome: 'outcome_unknown', reason: 'outcome_unknown' },
  ]);
  expect(sent).toEqual([]);
}, 60_000);

test('another process waits for the outcome, and sends nothing', async () => {
  let answer: (posted: Posted) => void = () => undefined;
  respond = () => new Promise((resolve) => (answer = resolve));
  const deliveryId = await newProcess().records();
  await expect.poll(() => sent).toHaveLength(1);
  const together = await harness.rows`
    select a.xmin = d.xmin as claimed_with_delivery from delivery_attempts a join deliveries d on d.id = a.delivery_id
    where d.id = ${deliveryId}`;
  expect(together).toEqual([{ claimed_with_delivery: true }]);
  const asked = newProcess().attempt({ deliveryId, number: 1, waitMs: 5_000, begun: true });
  setTimeout(() => answer(answered(500)), 700);
  expect(await asked).toMatchObject({ status: 'retrying', attempts: 1, responseStatus: 500 });
  expect(sent).toHaveLength(1);
});

test('a paused endpoint gets none', async () => {
  await harness.rows`update webhook_endpoints set paused_at = now() where org_id = ${partner.organisationId}`;
  const { records } = newProcess();
  expect(await attemptsOf(await records())).toEqual([]);
  expect(sent).toEqual([]);
});

test('without the key that sealed the secret nothing is sent, and the workflow makes the attempt when the key is back', async () => {
  const strangeKey = { ...ctx(), secrets: createSecrets([Buffer.alloc(32, 9)]) };
  const { first } = newProcess(undefined, strangeKey);
  const claim = await newClaim(harness, partner);
  // The answer of the create is sealed with the key that the process has.
  const recorded = await first.after(claim, (claimFirst) =>
    recordVerification({ ...ctx(), claimFirst }, claim),
  );
  const deliveryId = recorded.deliveryIds[0] ?? '';
  await expect.poll(() => attemptsOf(deliveryId)).toEqual([]);
  const report = await newProcess().attempt({ deliveryId, number: 1, waitMs: 5_000, begun: true });
  expect(report).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a process that stops waits for those under way, and begins no more', async () => {
  let answer: (posted: Posted) => void = () => undefined;
  respond = () => new Promise((resolve) => (answer = resolve));
  const { records, first } = newProcess();
  const { promise: committing, resolve: commit } = Promise.withResolvers<undefined>();
  const recording = records(() => committing);
  await expect
    .poll(() => harness.rows`select from deliveries where org_id = ${partner.organisationId}`)
    .toHaveLength(1);
  let hasStopped = false;
  const stopping = first.stop().then(() => (hasStopped = true));
  expect(await attemptsOf(await records())).toEqual([]);
  commit(undefined);
  const deliveryId = await recording;
  await expect.poll(() => sent).toHaveLength(1);
  expect(hasStopped).toBe(false);
  answer(answered(200));
  await stopping;
  expect(await attemptsOf(deliveryId)).toEqual([{ number: 1, outcome: 'delivered', reason: null }]);
});

test('if Temporal refuses the start of the workflow, the attempt is made all the same, and the start is tried again', async () => {
  const refusals = [new Error('busy'), new Error('busy')];
  start = async (input) => {
    started.push(input);
    const refusal = refusals.pop();
    if (refusal) throw refusal;
  };
  const deliveryId = await newProcess().records();
  await expect.poll(() => attemptsOf(deliveryId)).toMatchObject([{ outcome: 'delivered' }]);
  await expect
    .poll(() => started.map((each) => each.deliveryId))
    .toEqual([deliveryId, deliveryId, deliveryId]);
});

test('a workflow that begins late waits only for what is left of the wait', async () => {
  respond = async () => answered(500);
  const { records, attempt } = newProcess();
  const deliveryId = await records();
  await expect.poll(() => attemptsOf(deliveryId)).toMatchObject([{ outcome: 'failed' }]);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const report = await attempt({ deliveryId, number: 1, waitMs: 5_000, onTheSpot: true });
  expect(report).toHaveProperty('waitMs', expect.closeTo(3_500, -3));
});

test('a delivery that has a workflow is left to it when the recording is repeated', async () => {
  const claim = await newClaim(harness, partner);
  const { deliveryIds } = await recordVerification(ctx(), claim);
  const repeated = await newProcess().first.after(claim, (claimFirst) =>
    recordVerification({ ...ctx(), claimFirst }, claim),
  );
  expect(repeated.deliveryIds).toEqual(deliveryIds);
  expect(sent).toEqual([]);
  expect(await attemptsOf(deliveryIds[0] ?? '')).toEqual([]);
});
