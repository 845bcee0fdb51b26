import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DeliveryInput, deliveryWorkflowId } from '#contract/workflows.ts';
import type { Posted, Sender } from '#platform/outbound/http.ts';
import { createAttempts } from '#services/attempts/attempt-in-turn.ts';
import { createDeactivationSweep, restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { listAtWork, readOverview } from '#services/inspection/overview.ts';
import { recordVerification } from '#services/recording/record.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { theOperator } from '#test/support/people/as-operator.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import { answered, createMany, newClaim } from './support.ts';

/** A delivery whose first attempt has no turn waits as a row: without a workflow, in the order of its queue. */

const harness = await startHarness({ worker: false });
let partner: Partner;
let sent: string[];
let started: DeliveryInput[];
let answers: (() => void)[];
let status: number;

const sender: Sender = {
  post(_, __, body) {
    sent.push(JSON.parse(body.toString()).data.verification_id);
    return new Promise<Posted>((resolve) => {
      answers.push(() => resolve(answered(status)));
    });
  },
  close: async () => undefined,
};

/** The attempts of one more worker process. Its receiver answers when the test says so. */
function newProcess(perEndpoint = 2) {
  const ctx = {
    ...{ ...harness.ctx, sender, retryWaitsMs: [] },
    temporal: {
      ...harness.ctx.temporal,
      startDelivery: async (input: DeliveryInput) => void started.push(input),
    },
  };
  const { first } = createAttempts(ctx, { attempts: 200, perEndpoint });
  running.push(first.stop);
  return {
    run: first.run,
    async records(): Promise<string> {
      const claim = await newClaim(harness, partner);
      await first.after(claim, (claimFirst) => recordVerification({ ...ctx, claimFirst }, claim));
      return claim.verificationId;
    },
  };
}

const sentOf = (ids: readonly string[]) => sent.filter((id) => ids.includes(id));

const queued = () => harness.rows<{ id: string }>`
  select events.verification_id as id from deliveries join events on events.id = event_id
  where deliveries.org_id = ${partner.organisationId} and queued_at is not null order by deliveries.created_at, deliveries.id`;

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  const stopped = Promise.all(running.splice(0).map((stop) => stop()));
  const answering = setInterval(() => {
    for (const answer of answers) answer();
  }, 10);
  await stopped;
  clearInterval(answering);
  await harness.rows`update deliveries set queued_at = null, status = 'cancelled' where queued_at is not null`;
});

beforeEach(async () => {
  [sent, started, answers, status] = [[], [], [], 200];
  partner = await startPartner(harness);
});

test('what has no turn has no workflow and no attempt, is not overdue, and begins in its order as turns become free', async () => {
  const process = newProcess();
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.push(await process.records());
  expect(await queued()).toEqual(ids.slice(2).map((id) => ({ id })));
  expect(started).toHaveLength(2);
  await harness.rows`update deliveries set created_at = created_at - interval '1 hour' where org_id = ${partner.organisationId}`;
  expect(await restartOverdueDeliveries({ ...harness.ctx, retryWaitsMs: [] })).toBe(0);

  process.run();
  for (const [n, id] of ids.entries()) {
    await expect.poll(() => sent.length).toBeGreaterThan(n);
    expect(sent[n]).toBe(id);
    answers[n]?.();
  }
  await expect.poll(() => started).toHaveLength(5);
  expect(started.every(({ onTheSpot }) => onTheSpot)).toBe(true);
  expect(await queued()).toEqual([]);
});

test('a new one does not pass those that wait', async () => {
  const process = newProcess();
  const ids = [await process.records(), await process.records(), await process.records()];
  await expect.poll(() => answers).toHaveLength(2);
  answers[0]?.();
  await expect
    .poll(
      () =>
        harness.rows`select from deliveries where org_id = ${partner.organisationId} and status = 'delivered'`,
    )
    .toHaveLength(1);
  ids.push(await process.records());
  expect((await queued()).map(({ id }) => id)).toEqual(ids.slice(2));
});

test('another process serves the queue of one that died', async () => {
  const dying = newProcess();
  const ids = [await dying.records(), await dying.records(), await dying.records()];
  newProcess().run();
  await expect.poll(() => sentOf(ids)).toEqual(ids);
  expect(await queued()).toEqual([]);
});

test('two processes that serve a queue send each delivery once', async () => {
  const dying = newProcess();
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) ids.push(await dying.records());
  for (const each of [newProcess(20), newProcess(20)]) each.run();
  await expect.poll(() => sentOf(ids).toSorted()).toEqual(ids.toSorted());
});

test('a paused endpoint keeps its queue, and is served again when it is resumed', async () => {
  const process = newProcess();
  for (let n = 0; n < 3; n++) await process.records();
  await expect.poll(() => answers).toHaveLength(2);
  await harness.rows`update webhook_endpoints set paused_at = now() where org_id = ${partner.organisationId}`;
  process.run();
  for (const answer of answers) answer();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await queued()).toHaveLength(1);
  await harness.rows`update webhook_endpoints set paused_at = null where org_id = ${partner.organisationId}`;
  newProcess().run();
  await expect.poll(queued).toEqual([]);
});

test('the queue of a deactivated endpoint is cancelled without workflows', async () => {
  const process = newProcess();
  for (let n = 0; n < 4; n++) await process.records();
  await call(harness, 'DELETE', `/v1/webhooks/${partner.endpoint.id}`, { key: partner.key });
  const settled: unknown[] = [];
  const deliveriesSettled = { add: (...counted: unknown[]) => void settled.push(counted) };
  const instruments = { ...harness.ctx.instruments, deliveriesSettled };
  const sweep = createDeactivationSweep({ ...harness.ctx, instruments, retryWaitsMs: [] });
  const waiting = (await queued()).length;
  await sweep(new AbortController().signal);
  expect(await queued()).toEqual([]);
  expect(settled).toContainEqual([waiting, { status: 'cancelled' }]);
  const cancelled = await harness.rows`
    select from deliveries where org_id = ${partner.organisationId} and status = 'cancelled' and next_attempt_at is null`;
  expect(cancelled.length).toBeGreaterThanOrEqual(2);
});

test('an endpoint that keeps failing gets one first attempt in a second', async () => {
  status = 500;
  const process = newProcess();
  process.run();
  const failed = () =>
    harness.rows`select from deliveries where org_id = ${partner.organisationId} and status = 'failed'`;
  for (let n = 1; n <= 5; n++) {
    await process.records();
    await expect.poll(() => answers).toHaveLength(n);
    answers[n - 1]?.();
    await expect.poll(failed).toHaveLength(n);
  }
  for (let n = 0; n < 4; n++) await process.records();
  const sentAtMs: number[] = [];
  while (sent.length < 8) {
    if (sent.length > sentAtMs.length) sentAtMs[sent.length - 1] = performance.now();
    for (const answer of answers) answer();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(performance.now() - (sentAtMs[6] ?? 0)).toBeGreaterThan(900);
  expect((sentAtMs[6] ?? 0) - (sentAtMs[5] ?? 0)).toBeGreaterThan(900);
});

test('what an endpoint that is deactivated just then gets into its queue is cancelled', async () => {
  const process = newProcess();
  for (let n = 0; n < 3; n++) await process.records();
  await harness.rows`update webhook_endpoints set active = false where org_id = ${partner.organisationId}`;
  process.run();
  await expect.poll(queued).toEqual([]);
  const [row] = await harness.rows`
    select next_attempt_at from deliveries where org_id = ${partner.organisationId} and status = 'cancelled'`;
  expect(row).toEqual({ next_attempt_at: null });
});

test('a partner sees a delivery that waits as due, and operators see it in the queue', async () => {
  const process = newProcess();
  for (let n = 0; n < 3; n++) await process.records();
  const { json } = await call(
    harness,
    'GET',
    `/v1/webhooks/${partner.endpoint.id}/deliveries?status=pending`,
    {
      key: partner.key,
    },
  );
  expect(json.data[0]).toMatchObject({ status: 'pending', attempts: [] });
  expect(json.data[0].next_attempt_at).toBe(json.data[0].created_at);
  const minuteAgo = () => harness.rows`
    update deliveries set created_at = created_at - interval '1 minute' where queued_at is not null`;
  await minuteAgo();
  const overview = await readOverview(harness.ctx, theOperator);
  expect(overview.deliveries).toMatchObject({ queued: 1, overdue: 0 });
  expect(overview.oldestQueuedSeconds).toBeGreaterThanOrEqual(60);
  const organisations = await listAtWork(harness.ctx, theOperator, { after: '', limit: 100 });
  expect(organisations.find(({ id }) => id === partner.organisationId)).toMatchObject({ queued: 1 });

  await harness.rows`update webhook_endpoints set paused_at = now() where id = ${partner.endpoint.id}`;
  expect((await readOverview(harness.ctx, theOperator)).oldestQueuedSeconds).toBe(0);
});

test('with a whole worker a burst beyond the turns arrives whole', async () => {
  const whole = await startHarness({ turns: { attempts: 200, perEndpoint: 2 } });
  const slow = await startPartner(whole, {}, { status: 200, delayMs: 100 });
  const ids = await createMany(whole, slow.key, 12);
  await slow.receiver.waitFor(12);
  const arrived = slow.receiver.received.map(({ body }) => JSON.parse(String(body)).data.verification_id);
  expect(arrived.toSorted()).toEqual(ids.toSorted());
  const delivered = () => whole.rows<{ id: string }>`select id from deliveries where status = 'delivered'`;
  await expect.poll(delivered).toHaveLength(12);
  for (const { id } of await delivered()) {
    const run = whole.temporal.workflow.getHandle(deliveryWorkflowId(id));
    const result = () => run.result().catch(() => undefined);
    await expect.poll(result).toEqual({ status: 'delivered', attempts: 1 });
  }
});
