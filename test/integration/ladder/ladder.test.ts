import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeEach, expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { covers } from '#test/requirements.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { startReceiver } from '#test/support/people/receiver.ts';
import { skipTime, whyNoTimeSkipping } from '#test/support/servers/time-skipping.ts';

/**
 * Tests the production waits on a real server that skips them. The clock of the workflow jumps and the clock of the database does
 * not, so the waits are read from the history of the workflow.
 */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const schedule = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour + 20 * minute];

const harness = await startHarness();
const whyNot = await whyNoTimeSkipping(harness.temporal);
beforeEach((ctx) => {
  if (whyNot !== undefined) ctx.skip(whyNot);
});

/** Creates the delivery of one event to an endpoint of a new partner. No time is skipped yet. */
async function deliveryTo(url: string) {
  const { ask, endpoint } = await startPartner(harness, { endpoint: { url } });
  const { json: verification } = await ask('POST', '/verifications');
  const rows = await harness.rows<{ id: string }>`
    select d.id from deliveries d join events e on e.id = d.event_id
    where e.verification_id = ${verification.id}`;
  const deliveryId = rows[0]?.id ?? '';
  const workflowId = deliveryWorkflowId(deliveryId);
  const workflow = harness.temporal.workflow.getHandle(workflowId);

  return {
    endpoint,
    /** The waits between attempts so far, as the workflow requested them from the server. */
    async waits(): Promise<number[]> {
      const { events } = await workflow.fetchHistory();
      return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
        timer
          ? [
              Number(timer.startToFireTimeout?.seconds) * second +
                Number(timer.startToFireTimeout?.nanos) / 1e6,
            ]
          : [],
      );
    },
    async end() {
      await skipTime(harness.temporal, workflowId);
      const result = await workflow.result();
      const stored = await harness.rows`select status from deliveries where id = ${deliveryId}`;
      expect(stored).toEqual([{ status: result.status }]);
      return result;
    },
  };
}

/** Sends one event to a receiver that gives these replies in order, and waits for the end of the delivery. */
async function wholeLadder(...replies: Parameters<typeof startReceiver>) {
  const receiver = await startReceiver(...replies);
  const delivery = await deliveryTo(receiver.url);
  await receiver.waitFor(1);
  const result = await delivery.end();
  return { result, waits: await delivery.waits(), received: receiver.received };
}

/** Allows a deviation of ±5 %, which is the jitter. */
const about = (ms: number) =>
  expect.toSatisfy((found: number) => Math.abs(found - ms) <= ms * 0.05, `${ms} ±5 %`);

test.concurrent('six attempts over 7 h 55 min, each wait within 5 % of the schedule, then `failed` and no seventh', async () => {
  covers('6.4/six-attempts', '6.4/retries');
  const { result, waits, received } = await wholeLadder({ status: 500 });
  expect(result).toEqual({ status: 'failed', attempts: 6 });
  expect(waits).toEqual(schedule.map(about));
  expect(received).toHaveLength(6);
  expect(new Set(received.map(({ body }) => body.toString('hex'))).size).toBe(1);
});

test.concurrent('a receiver that recovers for the sixth attempt has its event delivered', async () => {
  const failure = { status: 500 };
  const { result, waits, received } = await wholeLadder(...Array(5).fill(failure), { status: 200 });
  expect(result).toEqual({ status: 'delivered', attempts: 6 });
  expect(waits).toEqual(schedule.map(about));
  expect(received).toHaveLength(6);
});

test.concurrent('Retry-After lengthens a wait, in seconds and as a date, and never shortens one', async () => {
  const date = new Date(Date.now() + hour).toUTCString();
  const { result, waits } = await wholeLadder(
    { status: 503, headers: { 'retry-after': '600' } },
    { status: 429, headers: { 'retry-after': date } },
    { status: 503, headers: { 'retry-after': '7' } },
    { status: 200 },
  );
  expect(result).toEqual({ status: 'delivered', attempts: 4 });
  expect(waits).toEqual([10 * minute, about(hour), about(30 * minute)]);
});

test.concurrent.each([429, 502, 503, 504])(
  'after a %d the next attempt waits a minute at least',
  async (status) => {
    const { result, waits } = await wholeLadder({ status }, { status: 200 });
    expect(result).toEqual({ status: 'delivered', attempts: 2 });
    expect(waits).toEqual([minute]);
  },
);

test.concurrent('after a time-out the next attempt waits a minute at least', async ({ expect }) => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  atTheEnd(() => silent.close());
  const delivery = await deliveryTo(`https://127.0.0.1:${(silent.address() as { port: number }).port}/`);
  await expect.poll(delivery.waits, { timeout: 15 * second, interval: 200 }).toEqual([minute]);
});

test.concurrent('a receiver that asks for a time beyond 8 h 30 min gets one last attempt at that limit', async () => {
  const { result, waits, received } = await wholeLadder(
    { status: 500 },
    { status: 503, headers: { 'retry-after': '3600' } },
    { status: 503, headers: { 'retry-after': '86400' } },
    { status: 503 },
  );
  expect(result).toEqual({ status: 'failed', attempts: 4 });
  expect(waits.slice(0, 2)).toEqual([about(5 * second), hour]);
  expect(waits.reduce((sum, wait) => sum + wait)).toBe(8.5 * hour);
  expect(received).toHaveLength(4);
});

test.concurrent('an endpoint that is deactivated while an attempt is awaited gets no further one, and the delivery is cancelled', async () => {
  const receiver = await startReceiver({ status: 500 });
  const delivery = await deliveryTo(receiver.url);
  await receiver.waitFor(1);
  await harness.rows`update webhook_endpoints set active = false where id = ${delivery.endpoint.id}`;
  expect(await delivery.end()).toEqual({ status: 'cancelled', attempts: 1 });
  expect(await delivery.waits()).toEqual([about(5 * second)]);
  expect(receiver.received).toHaveLength(1);
});
