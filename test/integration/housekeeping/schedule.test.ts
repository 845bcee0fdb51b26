import { ScheduleClient, type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client';
import pino from 'pino';
import { beforeAll, expect, test, vi } from 'vitest';
import { housekeepingPartId, workflowNames } from '#contract/workflows.ts';
import { createTemporalClient } from '#platform/temporal/client.ts';
import { lazyConnection } from '#platform/temporal/connection.ts';
import { startHarness } from '#test/support/harness.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { startSweep } from '#worker/sweep.ts';
import { aged, emptyDatabase } from './rows.ts';

const harness = await startHarness({ housekeeping: true });
const { connection, options } = harness.temporal;
const schedule = new ScheduleClient({ connection, namespace: options.namespace }).getHandle(
  harness.housekeepingId,
);
const ensure = () => harness.ctx.temporal.ensureHousekeeping();
const describeOrNothing = (): Promise<ScheduleDescription | undefined> =>
  schedule.describe().catch((error: unknown) => {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  });

const hourMs = 3_600_000;
const asInTheCode = {
  spec: { intervals: [{ every: hourMs, offset: 0 }], jitter: 300_000 },
  policies: { overlap: 'SKIP', catchupWindow: 600_000, pauseOnFailure: false },
  action: {
    workflowType: workflowNames.housekeeping,
    workflowId: harness.housekeepingId,
    taskQueue: harness.queues.verifications,
    args: [],
    workflowRunTimeout: hourMs,
  },
  state: { paused: false },
};

beforeAll(async () => {
  await vi.waitFor(() => schedule.describe(), { timeout: 10_000, interval: 100 });
});

test('a worker that starts creates the schedule: hourly, one run at a time', async () => {
  const found = await schedule.describe();
  expect(found).toMatchObject(asInTheCode);
  const [next] = found.info.nextActionTimes;
  expect(Number(next) - Date.now()).toBeLessThan(hourMs + asInTheCode.spec.jitter);
});

test('a correct schedule is left alone', async () => {
  const { info } = await schedule.describe();
  await ensure();
  expect((await schedule.describe()).info.lastUpdatedAt).toEqual(info.lastUpdatedAt);
});

test('a deleted schedule is created again, and several workers that do so at once do no harm', async () => {
  await schedule.delete();
  await expect.poll(describeOrNothing, { timeout: 10_000 }).toBeUndefined();
  await Promise.all(Array.from({ length: 5 }, ensure));
  expect(await schedule.describe()).toMatchObject(asInTheCode);
});

/** The schedule of a version before started a single run that purged one kind after the other. */
const former = { what: ['claims', 'evidence'], batchSize: 1_000, batchesMax: 500 };

test.each<[string, (found: ScheduleDescription) => object]>([
  ['the times', () => ({ spec: { intervals: [{ every: '2h' }] } })],
  ['a further time', ({ spec }) => ({ spec: { ...spec, calendars: [{ hour: 3 }] } })],
  [
    'what happens to a run that is late',
    ({ policies }) => ({ policies: { ...policies, overlap: 'ALLOW_ALL' } }),
  ],
  ['the input, as a version before gave it', ({ action }) => ({ action: { ...action, args: [former] } })],
  ['the queue', ({ action }) => ({ action: { ...action, taskQueue: 'elsewhere' } })],
])(
  'a schedule that differs from the code in %s is corrected, and stays paused if it was',
  async (_, change) => {
    await schedule.update((found) => ({
      ...found,
      ...change(found),
      state: { paused: true, note: 'by hand' },
    }));
    expect(await ensure()).toBe(true);
    expect(await harness.ctx.temporal.isHousekeepingPaused()).toBe(true);
    const { spec, ...found } = await schedule.describe();
    expect(found).toMatchObject({
      policies: asInTheCode.policies,
      action: asInTheCode.action,
      state: { paused: true, note: 'by hand' },
    });
    expect(spec).toMatchObject({ ...asInTheCode.spec, calendars: [] });
    await schedule.unpause();
    expect(await ensure()).toBe(false);
    expect(await harness.ctx.temporal.isHousekeepingPaused()).toBe(false);
  },
);

test.each(['first', 'second'])('its %s run purges', async () => {
  await emptyDatabase(harness.rows);
  await aged.requests.add(harness.rows, new Date(Date.now() - 31 * 86_400_000), 3);
  const run = async () => (await schedule.describe()).info.recentActions.at(-1)?.action.workflow;
  // Temporal names a workflow by the second, so two runs of one second have the same id.
  const before = (await run())?.firstExecutionRunId;
  await schedule.trigger();
  await expect.poll(async () => (await run())?.firstExecutionRunId, { timeout: 10_000 }).not.toBe(before);
  const { workflowId = '', firstExecutionRunId } = (await run()) ?? {};
  expect(workflowId).toContain(harness.housekeepingId);
  const handle = harness.temporal.workflow.getHandle(workflowId, firstExecutionRunId);
  await handle.result();
  const purge = housekeepingPartId(harness.housekeepingId, 'requests');
  expect(await harness.temporal.workflow.getHandle(purge).result()).toEqual({ rows: 3 });
  expect(await aged.requests.left(harness.rows)).toEqual([]);
});

test('a schedule that somebody paused is reported by the worker that sweeps', async () => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  await harness.stopWorker();
  await schedule.pause('by hand');
  const ctx = { ...harness.ctx, retryWaitsMs: [], sender: undefined as never };
  const sweep = startSweep(ctx, log, { housekeeping: true });
  await expect.poll(() => warnings).toEqual([expect.stringContaining('housekeeping is paused')]);
  await sweep.stop();
  await schedule.unpause();
});

test('while no Temporal server answers, the worker logs it and goes on', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const temporal = { address, namespace: 'default', tls: undefined, apiKey: undefined };
  const connection = await lazyConnection(temporal, address);
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  const ctx = {
    ...harness.ctx,
    temporal: createTemporalClient(connection, { namespace: 'default', secrets: harness.ctx.secrets }),
  };
  // The worker of the harness would otherwise stay the only one that sweeps.
  await harness.stopWorker();
  const sweep = startSweep({ ...ctx, retryWaitsMs: [], sender: undefined as never }, log, {
    housekeeping: true,
  });
  await expect.poll(() => warnings).toEqual([expect.stringContaining('housekeeping')]);
  expect(sweep.leads()).toBe(true);
  await sweep.stop();
  await connection.close();
}, 20_000);
