import { type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client';
import pino from 'pino';
import { beforeAll, expect, test, vi } from 'vitest';
import { workflowNames } from '#contract/workflows.ts';
import { createTemporalClient } from '#platform/temporal-client.ts';
import { lazyConnection } from '#platform/temporal-connection.ts';
import { housekeepingInput } from '#policy/retention.ts';
import { freePort } from '#test/support/free-port.ts';
import { startHarness } from '#test/support/harness.ts';
import { startSweep } from '#worker/sweep.ts';
import { aged, emptyDatabase } from './rows.ts';

const harness = await startHarness({ housekeeping: true });
const schedule = harness.temporal.schedule.getHandle(harness.housekeepingId);
const ensure = () => harness.ctx.temporal.ensureHousekeeping(housekeepingInput);
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
    args: [housekeepingInput],
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

test.each<[string, (found: ScheduleDescription) => object]>([
  ['the times', () => ({ spec: { intervals: [{ every: '2h' }] } })],
  ['a further time', ({ spec }) => ({ spec: { ...spec, calendars: [{ hour: 3 }] } })],
  [
    'what happens to a run that is late',
    ({ policies }) => ({ policies: { ...policies, overlap: 'ALLOW_ALL' } }),
  ],
  ['the input', ({ action }) => ({ action: { ...action, args: [{ ...housekeepingInput, batchSize: 7 }] } })],
  ['the queue', ({ action }) => ({ action: { ...action, taskQueue: 'elsewhere' } })],
])(
  'a schedule that differs from the code in %s is corrected, and stays paused if it was',
  async (_, change) => {
    await schedule.update((found) => ({
      ...found,
      ...change(found),
      state: { paused: true, note: 'by hand' },
    }));
    await ensure();
    const { spec, ...found } = await schedule.describe();
    expect(found).toMatchObject({
      policies: asInTheCode.policies,
      action: asInTheCode.action,
      state: { paused: true, note: 'by hand' },
    });
    expect(spec).toMatchObject({ ...asInTheCode.spec, calendars: [] });
    await schedule.unpause();
  },
);

test('its run purges', async () => {
  await emptyDatabase(harness.rows);
  await aged.request_log.add(harness.rows, new Date(Date.now() - 31 * 86_400_000), 3);
  await schedule.trigger();
  const run = async () => (await schedule.describe()).info.recentActions.at(-1)?.action.workflow;
  await expect.poll(run, { timeout: 10_000 }).toBeDefined();
  const { workflowId = '', firstExecutionRunId } = (await run()) ?? {};
  expect(workflowId).toContain(harness.housekeepingId);
  const handle = harness.temporal.workflow.getHandle(workflowId, firstExecutionRunId);
  expect(await handle.result()).toEqual({
    claims: 0,
    request_log: 3,
    event_bodies: 0,
    response_excerpts: 0,
    evidence: 0,
  });
  expect(await aged.request_log.left(harness.rows)).toEqual([]);
});

test('while no Temporal server answers, the worker logs it and goes on', async () => {
  const address = `127.0.0.1:${await freePort()}`;
  const temporal = { address, namespace: 'default', tls: undefined, apiKey: undefined };
  const connection = await lazyConnection(temporal, address);
  const lines: { level: number; msg: string }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const ctx = { ...harness.ctx, temporal: createTemporalClient(connection, { namespace: 'default' }) };
  await startSweep({ ...ctx, retryWaitsMs: [], sender: undefined as never }, log, {
    housekeeping: true,
  }).stop();
  expect(lines).toMatchObject([{ level: 40, msg: expect.stringContaining('housekeeping') }]);
  await connection.close();
}, 20_000);
