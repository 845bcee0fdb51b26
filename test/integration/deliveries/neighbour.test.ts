import { expect, test } from 'vitest';
import { deliveryWorkflowId } from '#contract/workflows.ts';
import { restartOverdueDeliveries } from '#services/deliveries/restart.ts';
import { startHarness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';
import { createMany } from './support.ts';

/** The receiver of one organisation accepts every connection and never answers. Deliveries of others must not be delayed. */

const hangingEvents = 24;
const turns = { attempts: 12, perEndpoint: 2 };
const forEver = { status: 200, until: new Promise(() => undefined) };

const harness = await startHarness({ turns });
const quiet = await startPartner(harness);

type Open = { id: string; attempts: number; underWay: number; putOff: boolean };
const openOf = async (orgId: string): Promise<Open[]> => {
  const rows = await harness.rows<Open>`
    select d.id, d.next_attempt_at > d.created_at as "putOff", count(a)::int as attempts,
      (count(a) filter (where a.outcome is null))::int as "underWay"
    from deliveries d left join delivery_attempts a on a.delivery_id = d.id
    where d.org_id = ${orgId} and d.status in ('pending', 'retrying') group by d.id`;
  return rows;
};
const underWay = (open: Open[]) => open.reduce((sum, one) => sum + one.underWay, 0);

test('a receiver that hangs has two attempts under way, the others wait, and its neighbour hears at once', async () => {
  const noisy = await startPartner(harness, {}, forEver);
  await createMany(harness, noisy.key, hangingEvents);
  await noisy.receiver.waitFor(turns.perEndpoint);
  const [id] = await createMany(harness, quiet.key, 1);
  const [event] = await quiet.receiver.waitFor(1);
  expect(event?.body.toString()).toContain(id);

  const open = await openOf(noisy.organisationId);
  expect(open).toHaveLength(hangingEvents);
  expect(underWay(open)).toBeLessThanOrEqual(turns.perEndpoint);
  const waiting = open.filter(({ attempts }) => attempts === 0).map((one) => one.id);
  expect(waiting.length).toBeGreaterThan(0);
  await expect
    .poll(async () => {
      const later = await openOf(noisy.organisationId);
      return later.filter((one) => waiting.includes(one.id) && !one.putOff);
    })
    .toEqual([]);
  const begun = open.find(({ attempts }) => attempts > 0)?.id ?? '';
  const history = await harness.temporal.workflow.getHandle(deliveryWorkflowId(begun)).fetchHistory();
  const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
  expect(started?.priority?.fairnessKey).toBe(noisy.organisationId);
}, 120_000);

test('an organisation with many endpoints that hang leaves three quarters of the worker to others', async () => {
  const noisy = await startPartner(harness, {}, forEver);
  for (let n = 1; n < turns.attempts; n++) await noisy.ask('POST', '/webhooks', { url: noisy.receiver.url });
  await createMany(harness, noisy.key, 2);
  const [id] = await createMany(harness, quiet.key, 1);
  await expect.poll(() => quiet.receiver.received.some(({ body }) => body.includes(id ?? 'none'))).toBe(true);
  await expect.poll(async () => underWay(await openOf(noisy.organisationId))).toBeGreaterThan(0);
  expect(underWay(await openOf(noisy.organisationId))).toBeLessThanOrEqual(turns.attempts / 4);
});

test('the sweep leaves a delivery alone that waits for its turn', async () => {
  const clock = { ...harness.ctx.clock, now: () => new Date() };
  expect(await restartOverdueDeliveries({ ...harness.ctx, clock, retryWaitsMs: [] })).toBe(0);
});
