import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';

/** After an endpoint is deactivated, its open deliveries end soon, and do not wait for their next attempt (decision 50). */

const hour = 3_600_000;
const harness = await startHarness({ retryWaitsMs: [hour, hour] });

const statuses = async ({ endpoint }: Partner) =>
  (
    await harness.rows<{ status: string }>`select status from deliveries where endpoint_id = ${endpoint.id}`
  ).map(({ status }) => status);

const remembered = async ({ endpoint }: Partner) =>
  (await harness.rows`select 1 from deactivations where endpoint_id = ${endpoint.id}`).length;

async function partnerWithRetrying(count: number, ...replies: { status: number; until?: Promise<void> }[]) {
  const partner = await startPartner(harness, {}, ...replies, { status: 500 });
  for (let i = 0; i < count; i++) await partner.ask('POST', '/verifications', { method: 'idin' });
  await expect.poll(() => statuses(partner)).toEqual(Array(count).fill('retrying'));
  return partner;
}

test('deliveries that sleep until their next attempt are cancelled, and their workflows end', async () => {
  const [deleted, kept] = [await partnerWithRetrying(3), await partnerWithRetrying(1)];
  expect((await deleted.ask('DELETE', deleted.path)).status).toBe(200);
  await expect.poll(() => statuses(deleted)).toEqual(Array(3).fill('cancelled'));
  const ended = await harness.rows<{ id: string }>`
    select id from deliveries where endpoint_id = ${deleted.endpoint.id}`;
  for (const { id } of ended)
    expect(await harness.temporal.workflow.getHandle(deliveryWorkflowId(id)).result()).toEqual({
      status: 'cancelled',
      attempts: 1,
    });
  await expect.poll(() => remembered(deleted)).toBe(0);
  expect(deleted.receiver.received).toHaveLength(3);
  expect(await statuses(kept)).toEqual(['retrying']);
});

test('a delivery whose attempt is under way at that moment is cancelled when the attempt has failed', async () => {
  const held = Promise.withResolvers<void>();
  const partner = await startPartner(harness, {}, { status: 500, until: held.promise });
  await partner.ask('POST', '/verifications', { method: 'idin' });
  await partner.receiver.waitFor(1);
  await partner.ask('DELETE', partner.path);
  expect(await statuses(partner)).toEqual(['pending']);
  expect(await remembered(partner)).toBe(1);
  held.resolve();
  await expect.poll(() => statuses(partner)).toEqual(['cancelled']);
  await expect.poll(() => remembered(partner)).toBe(0);
});

test('what no worker has ended yet is ended by the next one, also if its workflow was lost', async () => {
  const partner = await partnerWithRetrying(2);
  const [lost] = await harness.rows<{ id: string }>`
    select id from deliveries where endpoint_id = ${partner.endpoint.id}`;
  await harness.stopWorker();
  await harness.temporal.workflow.getHandle(deliveryWorkflowId(lost?.id ?? '')).terminate('lost');
  await partner.ask('DELETE', partner.path);
  expect(await statuses(partner)).toEqual(['retrying', 'retrying']);
  await harness.startWorker();
  await expect.poll(() => statuses(partner)).toEqual(['cancelled', 'cancelled']);
  await expect.poll(() => remembered(partner)).toBe(0);
});
