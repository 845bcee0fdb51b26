import { beforeEach, expect, test } from 'vitest';
import type { AttemptReport } from '#contract/workflows.ts';
import { createSecrets } from '#platform/crypto/crypto.ts';
import type { Posted } from '#platform/outbound/http.ts';
import { createSender, type Sender } from '#platform/outbound/http.ts';
import { attemptDelivery } from '#services/attempts/attempt.ts';
import { restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { answered, newDelivery } from './support.ts';

const harness = await startHarness({ worker: false });
let deliveryId: string;
let sent: number;
let respond: () => Promise<Posted>;

const sender: Sender = {
  post() {
    sent += 1;
    return respond();
  },
  close: async () => undefined,
};
const ctx = () => ({ ...harness.ctx, sender, retryWaitsMs: [5_000, 300_000] });
const attempt = (number: number, waitMs: number | null = 5_000) =>
  attemptDelivery(ctx(), { deliveryId, number, waitMs });
const attempts = async () =>
  await harness.rows`select number, outcome, reason, response_status from delivery_attempts where delivery_id = ${deliveryId} order by number`;
const delivery = async () =>
  (
    await harness.rows<{ status: string; next: number | null }>`
    select status, extract(epoch from next_attempt_at - now())::float8 as next from deliveries where id = ${deliveryId}`
  )[0];
const age = (seconds: number) =>
  harness.rows`update delivery_attempts set started_at = started_at - make_interval(secs => ${seconds}) where delivery_id = ${deliveryId}`;

beforeEach(async () => {
  sent = 0;
  respond = async () => answered(200);
  deliveryId = await newDelivery(harness, await startPartner(harness));
});

test('an attempt that is repeated is sent once and reports the same', async () => {
  const [first, second] = [await attempt(1), await attempt(1)];
  expect(sent).toBe(1);
  expect(first).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(second).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('of five runs of one attempt at once a single one sends', async () => {
  let answer: (posted: Posted) => void = () => undefined;
  respond = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const early: AttemptReport[] = [];
  const runs = Array.from({ length: 5 }, () => attempt(1).then((report) => early.push(report)));
  await expect.poll(() => early.length, { timeout: 10_000 }).toBe(4);
  for (const report of early) expect(report).toMatchObject({ status: 'pending', attempts: 0 });
  expect(sent).toBe(1);
  answer(answered(500));
  await Promise.all(runs);
  expect(early[4]).toMatchObject({ status: 'retrying', attempts: 1 });
  expect(sent).toBe(1);
});

test('the row is committed before anything is sent', async () => {
  let seen: unknown;
  respond = async () => {
    seen = await attempts();
    return answered(200);
  };
  await attempt(1);
  expect(seen).toEqual([{ number: 1, outcome: null, reason: null, response_status: null }]);
});

test('an attempt whose sender died counts as outcome_unknown after 20 seconds, and is never sent again', async () => {
  await harness.rows`insert into delivery_attempts (delivery_id, number) values (${deliveryId}, 1)`;
  const early = await attempt(1);
  expect(early).toMatchObject({ status: 'pending', attempts: 0 });
  expect(early.waitMs).toBeGreaterThan(15_000);
  await age(21);
  const late = await attempt(1);
  expect(late).toMatchObject({ status: 'retrying', attempts: 1, waitMs: 5_000, reason: 'outcome_unknown' });
  expect(sent).toBe(0);
  expect(await attempts()).toEqual([
    { number: 1, outcome: 'outcome_unknown', reason: 'outcome_unknown', response_status: null },
  ]);
});

test('a run that takes up a lost one gives an unknown outcome the wait of its own place in the schedule', async () => {
  for (const [number, outcome] of [
    [1, 'failed'],
    [2, 'failed'],
    [3, null],
  ] as const)
    await harness.rows`insert into delivery_attempts (delivery_id, number, outcome) values (${deliveryId}, ${number}, ${outcome})`;
  await age(150);
  expect(await attempt(1, 5_000)).toMatchObject({ status: 'pending', attempts: 2, waitMs: 0 });
  expect(await attempt(3, 1_800_000)).toMatchObject({ status: 'retrying', attempts: 3, waitMs: 1_800_000 });
  expect(sent).toBe(0);
});

test('a 2xx that arrives late still settles the delivery', async () => {
  let finish: (posted: Posted) => void = () => undefined;
  respond = () => new Promise((resolve) => (finish = resolve));
  const slow = attempt(1);
  await expect.poll(attempts).toHaveLength(1);
  await age(21);
  expect(await attempt(1)).toMatchObject({ status: 'retrying', reason: 'outcome_unknown' });
  finish(answered(200));
  expect(await slow).toMatchObject({ status: 'delivered' });
  expect(await delivery()).toEqual({ status: 'delivered', next: null });
  expect(await attempt(2)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('a failure that arrives late changes nothing', async () => {
  let finish: (posted: Posted) => void = () => undefined;
  respond = () => new Promise((resolve) => (finish = resolve));
  const slow = attempt(1);
  await expect.poll(attempts).toHaveLength(1);
  await age(21);
  await attempt(1);
  finish(answered(500));
  expect(await slow).toMatchObject({ status: 'retrying', attempts: 1 });
  expect(await attempts()).toMatchObject([{ outcome: 'outcome_unknown' }]);
});

test('without the key that sealed the secret nothing is sent and no attempt is used up', async () => {
  const strangeKey = { ...ctx(), secrets: createSecrets([Buffer.alloc(32, 9)]) };
  await expect(attemptDelivery(strangeKey, { deliveryId, number: 1, waitMs: 5_000 })).rejects.toThrow();
  expect(sent).toBe(0);
  expect(await attempts()).toEqual([]);
  expect(await attempt(1)).toMatchObject({ status: 'delivered', attempts: 1 });
});

test('the database itself refuses a seventh attempt and a second first one', async () => {
  const insert = (number: number) =>
    harness.rows`insert into delivery_attempts (delivery_id, number) values (${deliveryId}, ${number})`;
  await insert(6);
  await expect(insert(6)).rejects.toMatchObject({ code: '23505' });
  await expect(insert(7)).rejects.toMatchObject({ code: '23514' });
  await expect(insert(0)).rejects.toMatchObject({ code: '23514' });
});

test('a workflow that knows more attempts than the database (which was restored) is told how many there are', async () => {
  expect(await attempt(4)).toMatchObject({ status: 'pending', attempts: 0 });
  expect(sent).toBe(0);
});

test('a run that takes up a lost one waits for what is left of the wait', async () => {
  respond = async () => answered(500);
  await attempt(1);
  const again = await attempt(1);
  expect(again).toMatchObject({ status: 'retrying', attempts: 1, responseStatus: 500 });
  expect(again.waitMs).toBeGreaterThan(3_000);
  expect(again.waitMs).toBeLessThanOrEqual(5_000);
});

test('after its last wait a failed attempt ends the delivery', async () => {
  respond = async () => answered(410);
  expect(await attempt(1, null)).toMatchObject({
    status: 'failed',
    attempts: 1,
    waitMs: 0,
    responseStatus: 410,
  });
  expect(await delivery()).toEqual({ status: 'failed', next: null });
});

test('an overloaded receiver is left alone for a minute, and Retry-After can make it longer', async () => {
  respond = async () => answered(503);
  expect(await attempt(1)).toMatchObject({ waitMs: 60_000 });
  respond = async () => answered(500, 120_000);
  expect(await attempt(2)).toMatchObject({ waitMs: 120_000 });
  expect((await delivery())?.next).toBeGreaterThan(100);
});

test('a receiver that asks for a time beyond 8 h 30 min gets its last attempt at that limit', async () => {
  respond = async () => answered(500, 86_400_000);
  expect(await attempt(1)).toMatchObject({ status: 'retrying', waitMs: 30_600_000 });
  expect(await attempt(2)).toMatchObject({ status: 'failed', attempts: 2 });
});

test('an unknown delivery is cancelled, not retried for ever', async () => {
  deliveryId = '01a1fde6-32fd-7bb4-ab47-12a1081eaf6f';
  expect(await attempt(1)).toMatchObject({ status: 'cancelled', waitMs: 0 });
});

test('the sweep restarts deliveries that are overdue by more than two minutes, and no others', async () => {
  await harness.rows`update deliveries set next_attempt_at = now() + interval '1 minute'`;
  expect(await restartOverdueDeliveries(ctx())).toBe(0);
  await harness.rows`update deliveries set next_attempt_at = now() - interval '3 minutes' where id = ${deliveryId}`;
  expect(await restartOverdueDeliveries(ctx())).toBe(1);
  const handle = harness.temporal.workflow.getHandle(`delivery/${deliveryId}`);
  expect((await handle.describe()).status.name).toBe('RUNNING');
  expect(await restartOverdueDeliveries(ctx())).toBe(1);
  await handle.terminate('end of the test');
});

test('a real sender reports a name that leads nowhere as data, without an address', async () => {
  const real = createSender({ rules: harness.ctx.addresses, timeoutMs: 5_000 });
  const posted = await real.post('https://nowhere.example.invalid/', {}, Buffer.from('{}'));
  expect(posted).toMatchObject({ answered: false, reason: 'address_not_allowed' });
  await real.close();
});
