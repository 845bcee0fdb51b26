import { beforeEach, expect, test } from 'vitest';
import { type DeliveryInput, deliveryWorkflowId } from '#contract/workflows.ts';
import { createLog } from '#platform/log.ts';
import { createOverdueSweep } from '#services/deliveries/restart.ts';
import { startHarness } from '#test/support/harness.ts';
import { type Partner, startPartner } from '#test/support/people/partner.ts';
import { fillDeliveries } from '#test/support/rows/fill.ts';
import { startSweep } from '#worker/sweep.ts';

/** Deliveries whose workflows were lost. No worker takes up the workflows, so each stays as the sweep left it. */

const harness = await startHarness({ worker: false });
const log = createLog({ level: 'silent', format: 'json' });
const hour = 3_600_000;
const never = new AbortController().signal;

let partner: Partner;
let woken: string[];
let failing: Set<string>;
beforeEach(async () => {
  await harness.rows`delete from deliveries`;
  await harness.rows`delete from leases`;
  partner = await startPartner(harness);
  woken = [];
  failing = new Set();
});

/** The real client of Temporal, which records whom it wakes, and cannot start the workflows of `failing`. */
const ctx = {
  ...harness.ctx,
  retryWaitsMs: [hour],
  sender: { post: () => Promise.reject(new Error('nothing is sent')), close: async () => undefined },
  temporal: {
    ...harness.ctx.temporal,
    async restartDelivery(input: DeliveryInput) {
      woken.push(input.deliveryId);
      if (failing.has(input.deliveryId)) throw new Error('this start fails');
      await harness.ctx.temporal.restartDelivery(input);
    },
  },
};

/** Returns the ids of the deliveries, the longest overdue first. */
async function lose(count: number): Promise<string[]> {
  await fillDeliveries(harness, partner, { status: 'pending', count, attempts: 0 });
  const rows = await harness.rows<{ id: string }>`
    with placed as (select id, row_number() over (order by id) as place from deliveries)
    update deliveries set next_attempt_at = now() - interval '1 hour' + place * interval '1 s'
    from placed where placed.id = deliveries.id returning deliveries.id, next_attempt_at`;
  return rows.map(({ id }) => id).sort();
}

const isRunning = async (id: string) => {
  const handle = harness.temporal.workflow.getHandle(deliveryWorkflowId(id));
  return (await handle.describe().catch(() => undefined))?.status.name === 'RUNNING';
};

test('a start that fails is counted, and all others are made', async () => {
  const ids = await lose(8);
  failing = new Set(ids.slice(2, 4));
  expect(await createOverdueSweep(ctx)(never)).toEqual({ found: 8, failed: 2 });
  const running = await Promise.all(ids.map(isRunning));
  expect(ids.filter((_, i) => !running[i])).toEqual([...failing]);
});

test('a pass has an end, and the next one goes on where it ended, also if the rows stay overdue', async () => {
  const ids = await lose(8);
  const sweep = createOverdueSweep(ctx, { rowsMax: 3 });
  expect(await sweep(never)).toEqual({ found: 3, failed: 0 });
  expect(woken).toEqual(ids.slice(0, 3));
  expect(await sweep(never)).toEqual({ found: 3, failed: 0 });
  expect(await sweep(never)).toEqual({ found: 2, failed: 0 });
  expect(woken).toEqual(ids);
  expect(await sweep(never)).toEqual({ found: 3, failed: 0 });
  expect(woken).toEqual([...ids, ...ids.slice(0, 3)]);
});

test('while no worker takes up what was started, the sweep does not become faster', async () => {
  await lose(6);
  const asked: number[] = [];
  const noting = {
    ...ctx,
    temporal: {
      ...ctx.temporal,
      async restartDelivery(input: DeliveryInput) {
        asked.push(performance.now());
        await ctx.temporal.restartDelivery(input);
      },
    },
  };
  await createOverdueSweep(noting, { promised: 5 })(never);
  // The pace begins at one a second, and its first step up is two a second. A timer may fire a little early.
  for (let i = 1; i < asked.length; i++)
    expect(Number(asked[i]) - Number(asked[i - 1])).toBeGreaterThanOrEqual(498);
});

test('a backlog of no more than was promised does not wait until the pace is learned', async () => {
  const ids = await lose(16);
  const takes = async (promised: number) => {
    const beganMs = performance.now();
    expect(await createOverdueSweep(ctx, { promised })(never)).toEqual({ found: 16, failed: 0 });
    return performance.now() - beganMs;
  };
  expect(2 * (await takes(16))).toBeLessThan(await takes(15));
  expect(woken).toEqual([...ids, ...ids]);
});

test('of several workers one sweeps, so every lost delivery is started once', async () => {
  const ids = await lose(8);
  const sweeps = [1, 2, 3].map(() => startSweep(ctx, log, { housekeeping: false }));
  const running = async () => (await Promise.all(ids.map(isRunning))).filter(Boolean).length;
  await expect.poll(running).toBe(8);
  await Promise.all(sweeps.map(({ stop }) => stop()));
  expect(woken.sort()).toEqual(ids);
});

test('a worker that stops begins no further start, and another worker goes on', async () => {
  const ids = await lose(40);
  const first = startSweep(ctx, log, { housekeeping: false });
  await expect.poll(() => woken.length).toBeGreaterThan(2);
  await first.stop();
  const begun = woken.length;
  expect(begun).toBeLessThan(40);
  const second = startSweep(ctx, log, { housekeeping: false });
  await expect.poll(() => new Set(woken).size).toBe(40);
  await second.stop();
  expect(woken.slice(begun).sort()).toEqual(ids);
});
