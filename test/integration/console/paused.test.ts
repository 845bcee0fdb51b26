import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { joins } from '#test/support/console.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Partner, startPartner } from '#test/support/partner.ts';
import type { startReceiver } from '#test/support/receiver.ts';

/** While an endpoint is paused, its deliveries wait and use up no attempt. */

const hour = 3_600_000;
const harness = await startHarness({ retryWaitsMs: [hour, hour] });
const { url } = await harness.startConsole();

type Row = { status: string; attempts: number; held: boolean; leftMs: number | null };
const rowsOf = ({ endpoint }: Partner, trigger = 'event') =>
  harness.rows<Row>`
    select status, (select count(*)::int from delivery_attempts where delivery_id = deliveries.id) as attempts,
      held_at is not null as held, extract(epoch from next_attempt_at - now())::float8 * 1000 as "leftMs"
    from deliveries where endpoint_id = ${endpoint.id} and trigger = ${trigger} order by created_at, id`;
const heldOf = async (partner: Partner) => (await rowsOf(partner)).map(({ held }) => held);

async function office(org: string, ...replies: Parameters<typeof startReceiver>) {
  const partner = await startPartner(harness, { org }, ...replies);
  const developer = await joins(harness, url, { org, role: 'developer' });
  const order = (name: string) => developer.visitor.submit(partner.path, `${partner.path}/${name}`);
  const page = async () => (await developer.visitor.get(partner.path)).html;
  const create = () => partner.ask('POST', '/verifications', { method: 'document_only' });
  return { partner, developer, order, page, create };
}

test('events wait without an attempt while the endpoint is paused, and all arrive when it is resumed', async () => {
  const { partner, developer, order, page, create } = await office('Waiting');
  expect((await order('pause')).location).toBe(`${partner.path}?notice=paused`);
  for (let n = 0; n < 3; n++) await create();
  await expect.poll(() => heldOf(partner)).toEqual([true, true, true]);
  for (const { status, attempts, leftMs } of await rowsOf(partner)) {
    expect([status, attempts]).toEqual(['pending', 0]);
    expect(leftMs).toBeGreaterThan(hour / 2);
  }
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
    .toEqual(Array(3).fill({ status: 'delivered', attempts: 1, held: expect.any(Boolean), leftMs: null }));
  expect(partner.receiver.received).toHaveLength(3);
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
  await expect.poll(async () => (await rowsOf(partner, 'test'))[0]?.status).toBe('delivered');
});

test('a retry keeps the time that its schedule gave it, through a pause that ends before', async () => {
  const { partner, order, create } = await office('Retrying', { status: 500 });
  await create();
  await expect.poll(async () => (await rowsOf(partner))[0]?.status).toBe('retrying');
  await order('pause');
  await order('resume');
  await create();
  await partner.receiver.waitFor(2);
  const [first] = await rowsOf(partner);
  expect(first).toMatchObject({ status: 'retrying', attempts: 1, held: false });
  expect(first?.leftMs).toBeGreaterThan(hour / 2);
});

test('what is released while no worker runs arrives when one runs again, and a lost workflow is started again', async () => {
  const { partner, order, create } = await office('Killed');
  await order('pause');
  await create();
  await expect.poll(() => heldOf(partner)).toEqual([true]);
  await harness.stopWorker();
  await order('resume');
  const [{ id } = { id: '' }] = await harness.rows<{ id: string }>`
    select id from deliveries where endpoint_id = ${partner.endpoint.id}`;
  await harness.temporal.workflow.getHandle(deliveryWorkflowId(id)).terminate('lost');
  await harness.startWorker();
  await partner.receiver.waitFor(1, 60_000);
  expect(await rowsOf(partner)).toMatchObject([{ attempts: 1 }]);
});

test('an endpoint that is deleted while it is paused cancels what waits', async () => {
  const { partner, order, create } = await office('Leaving');
  await order('pause');
  await create();
  await expect.poll(() => heldOf(partner)).toEqual([true]);
  await order('delete');
  await expect.poll(async () => (await rowsOf(partner))[0]?.status, { timeout: 30_000 }).toBe('cancelled');
  expect((await order('resume')).status).toBe(409);
  expect(partner.receiver.received).toEqual([]);
});
