import { WorkflowNotFoundError } from '@temporalio/client';
import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { type Harness, startHarness } from '#test/support/harness.ts';
import { joins } from '#test/support/people/console.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import type { startReceiver } from '#test/support/people/receiver.ts';

/** While an endpoint is paused, its deliveries wait and use up no attempt. */

const hour = 3_600_000;
const harness = await startHarness({ retryWaitsMs: [hour, hour] });
const { url } = await harness.startConsole();
const soonMs = 3_000;
const retriesSoon = await startHarness({ retryWaitsMs: [soonMs, hour] });
const { url: urlOfSoon } = await retriesSoon.startConsole();

type Row = {
  status: string;
  attempts: number;
  isQueued: boolean;
  isHeld: boolean;
  leftMs: number | null;
};
const rowsOf = ({ endpoint }: Partner, { trigger = 'event', rows = harness.rows } = {}) =>
  rows<Row>`
    select status, (select count(*)::int from delivery_attempts where delivery_id = deliveries.id) as attempts,
      queued_at is not null as "isQueued", held_at is not null as "isHeld",
      extract(epoch from next_attempt_at - now())::float8 * 1000 as "leftMs"
    from deliveries where endpoint_id = ${endpoint.id} and trigger = ${trigger} order by created_at, id`;
const queuedOf = async (partner: Partner) => (await rowsOf(partner)).map(({ isQueued }) => isQueued);

type Office = { of?: Harness; at?: string };
async function office(
  org: string,
  { of = harness, at = url }: Office = {},
  ...replies: Parameters<typeof startReceiver>
) {
  const partner = await startPartner(of, { org }, ...replies);
  const developer = await joins(of, at, { org, role: 'developer' });
  const order = (name: string, fields = {}) =>
    developer.visitor.submit(partner.path, `${partner.path}/${name}`, fields);
  const page = async () => (await developer.visitor.get(partner.path)).html;
  const create = () => partner.ask('POST', '/verifications', { method: 'document_only' });
  return { partner, developer, order, page, create };
}

test('events wait as rows while the endpoint is paused, and all arrive when it is resumed', async () => {
  const { partner, developer, order, page, create } = await office('Waiting');
  expect((await order('pause')).location).toBe(`${partner.path}?notice=paused`);
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push((await create()).json.id);
  await expect.poll(() => queuedOf(partner)).toEqual([true, true, true]);
  for (const { status, attempts, leftMs } of await rowsOf(partner)) {
    expect([status, attempts]).toEqual(['pending', 0]);
    expect(leftMs).toBeGreaterThan(hour / 2);
  }
  for (const { id } of await partner.deliveries())
    await expect(harness.temporal.workflow.getHandle(deliveryWorkflowId(id)).describe()).rejects.toThrow(
      WorkflowNotFoundError,
    );
  expect(await page()).toContain('paused: deliveries wait');
  const [waiting] = await partner.deliveries();
  expect((await developer.visitor.get(`/deliveries/${waiting.id}`)).html).toContain(
    'when the endpoint is resumed',
  );
  expect(partner.receiver.received).toEqual([]);

  expect((await order('resume')).location).toBe(`${partner.path}?notice=resumed`);
  await partner.receiver.waitFor(3, 30_000);
  await expect
    .poll(() => rowsOf(partner))
    .toEqual(
      Array(3).fill({ status: 'delivered', attempts: 1, isQueued: false, isHeld: false, leftMs: null }),
    );
  const arrived = partner.receiver.received.map(({ body }) => JSON.parse(String(body)).data.verification_id);
  expect(arrived.toSorted()).toEqual(ids.toSorted());
  const lines = await harness.rows`
    select type, data -> 'actor' -> 'id' as member from ledger
    where subject_id = ${partner.endpoint.id} and type <> 'webhook.created' order by sequence`;
  expect(lines).toEqual([
    { type: 'webhook.paused', member: developer.memberId },
    { type: 'webhook.resumed', member: developer.memberId },
  ]);
});

test('a test event is sent while the endpoint is paused', async () => {
  const { partner, order } = await office('Trying');
  await order('pause');
  await order('test');
  await partner.receiver.waitFor(1);
  await expect.poll(async () => (await rowsOf(partner, { trigger: 'test' }))[0]?.status).toBe('delivered');
});

test('a retry keeps the time that its schedule gave it, through a pause that ends before', async () => {
  const { partner, order, create } = await office('Retrying', {}, { status: 500 });
  await create();
  await expect.poll(async () => (await rowsOf(partner))[0]?.status).toBe('retrying');
  await order('pause');
  await order('resume');
  await create();
  await partner.receiver.waitFor(2);
  const [first] = await rowsOf(partner);
  expect(first).toMatchObject({ status: 'retrying', attempts: 1, isHeld: false });
  expect(first?.leftMs).toBeGreaterThan(hour / 2);
});

test('what waits for an endpoint that is resumed while no worker runs arrives when one runs again', async () => {
  const { partner, order, create } = await office('Killed');
  await order('pause');
  await create();
  await expect.poll(() => queuedOf(partner)).toEqual([true]);
  await harness.stopWorker();
  await order('resume');
  await harness.startWorker();
  await partner.receiver.waitFor(1, 60_000);
  expect(await rowsOf(partner)).toMatchObject([{ attempts: 1 }]);
});

test('a retry that falls due meanwhile is held, and is released when the endpoint is resumed, also if its workflow is lost', async () => {
  const { rows, temporal } = retriesSoon;
  const at = { of: retriesSoon, at: urlOfSoon };
  const { partner, order, create } = await office('Falling', at, { status: 500 }, { status: 200 });
  await create();
  await partner.receiver.waitFor(1);
  await order('pause');
  await expect
    .poll(() => rowsOf(partner, { rows }))
    .toMatchObject([{ status: 'retrying', attempts: 1, isHeld: true }]);
  const [{ id } = { id: '' }] = await rows<{ id: string }>`
    select id from deliveries where endpoint_id = ${partner.endpoint.id}`;
  await temporal.workflow.getHandle(deliveryWorkflowId(id)).terminate('lost');
  await order('resume');
  await partner.receiver.waitFor(2, 60_000);
  await expect.poll(() => rowsOf(partner, { rows })).toMatchObject([{ status: 'delivered', attempts: 2 }]);
});

test('an endpoint that is deleted while it is paused cancels what waits', async () => {
  const { partner, order, create } = await office('Leaving');
  await order('pause');
  await create();
  await expect.poll(() => queuedOf(partner)).toEqual([true]);
  await order('delete', { sure: 'yes' });
  await expect.poll(async () => (await rowsOf(partner))[0]?.status, { timeout: 30_000 }).toBe('cancelled');
  expect((await order('resume')).status).toBe(409);
  expect(partner.receiver.received).toEqual([]);
});
