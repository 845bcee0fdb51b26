import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  type Expiring,
  expiring,
  housekeepingPartId,
  type PurgeInput,
  type PurgeResult,
  workflowNames,
} from '#contract/workflows.ts';
import { keptMs, purges } from '#policy/retention.ts';
import { startHarness } from '#test/support/harness.ts';
import { decodedHistory } from '#test/support/rows/decoded-history.ts';
import { addClaim, aged, emptyDatabase } from './rows.ts';

const harness = await startHarness();
const { rows, temporal, queues } = harness;
const taskQueue = queues.verifications;

const scheduleId = harness.housekeepingId;
let hours = 0;

/** Does what the schedule does every hour. The server adds the time to the id of the schedule. */
const startAll = () =>
  temporal.workflow.execute<() => Promise<void>>(workflowNames.housekeeping, {
    workflowId: `${scheduleId}-2026-11-22T0${hours++}:00:00Z`,
    taskQueue,
  });
const runOf = (what: Expiring) =>
  temporal.workflow.getHandle<(input: PurgeInput) => Promise<PurgeResult>>(
    housekeepingPartId(scheduleId, what),
  );

const start = (input: Omit<PurgeInput, 'rows'>) =>
  temporal.workflow.start<(input: PurgeInput) => Promise<PurgeResult>>(workflowNames.purge, {
    workflowId: `purge-${randomUUID()}`,
    taskQueue,
    args: [{ ...input, rows: 0 }],
  });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('every hour each kind is purged by a workflow of its own, evidence first', async () => {
  await emptyDatabase(rows);
  const counts = {
    evidence: 6,
    claims: 5,
    event_bodies: 3,
    response_excerpts: 2,
    request_log: 4,
    requests: 7,
    webhook_secrets: 4,
    abandoned_verifications: 2,
    completed_verifications: 3,
  };
  for (const what of expiring) {
    const days = keptMs[what] / 86_400_000;
    await aged[what].add(rows, daysAgo(days + 2), counts[what]);
    await aged[what].add(rows, daysAgo(days * 0.99 - 0.01));
  }
  await startAll();
  expect(expiring[0]).toBe('evidence');
  const purged: Record<string, number> = {};
  for (const what of expiring) purged[what] = (await runOf(what).result()).rows;
  // The old response excerpts belong to old events, whose bodies are purged too.
  expect(purged).toEqual({ ...counts, event_bodies: 3 + 2 });
});

test('a kind that cannot be purged stops no other, and goes on as soon as it can', async () => {
  await emptyDatabase(rows);
  await aged.claims.add(rows, daysAgo(2), 3);
  await aged.evidence.add(rows, daysAgo(31), 3);
  await aged.requests.add(rows, daysAgo(31), 3);
  // The update of a claim fails until the constraint is gone.
  await rows`alter table requests add constraint planted check (idempotency_key is not null) not valid`;
  await startAll();
  for (const what of expiring.filter((kind) => kind !== 'claims')) await runOf(what).result();
  expect(await aged.evidence.left(rows)).toEqual([]);
  expect(await aged.requests.left(rows)).toHaveLength(3);

  const claimsRun = async () => (await runOf('claims').describe()).runId;
  const before = await claimsRun();
  await startAll();
  expect(await claimsRun()).toBe(before);
  await rows`alter table requests drop constraint planted`;
  expect(await runOf('claims').result()).toEqual({ rows: 3 });
});

test('a purge goes on until nothing is left, in as many runs as its history needs', async () => {
  await emptyDatabase(rows);
  await aged.requests.add(rows, daysAgo(31), 25);
  const run = await start({ what: 'requests', rowsMax: 4, batchesMax: 2 });
  expect(await run.result()).toEqual({ rows: 25 });
  const { runId } = await run.describe();
  expect(runId).not.toBe(run.firstExecutionRunId);
  expect(await aged.requests.left(rows)).toEqual([]);
});

test('batches are small, since requests wait while rows are locked, and pictures are large', () => {
  for (const { what, rowsMax, batchesMax } of purges) {
    expect(rowsMax).toBeLessThanOrEqual(what === 'evidence' ? 25 : 1_000);
    expect(batchesMax).toBeLessThanOrEqual(200);
  }
});

test('two runs at the same time purge everything, and count nothing twice', async () => {
  await emptyDatabase(rows);
  await aged.requests.add(rows, daysAgo(31), 300);
  const input = { what: 'requests', rowsMax: 10, batchesMax: 500 } as const;
  const runs = await Promise.all([start(input), start(input)]);
  const [first, second] = await Promise.all(runs.map((run) => run.result()));
  expect(Number(first?.rows) + Number(second?.rows)).toBe(300);
  expect(await aged.requests.left(rows)).toEqual([]);
});

test('a purge that fails is repeated until it succeeds, and tells Temporal nothing of the row', async () => {
  await emptyDatabase(rows);
  const key = `geheim-${randomUUID()}`;
  await addClaim(rows, { key, status: 'claimed', at: daysAgo(2) });
  // The update fails with "Failing row contains (…)" until the constraint is gone.
  await rows`alter table requests add constraint planted check (status <> 'abandoned')`;
  const run = await start({ what: 'claims', rowsMax: 1_000, batchesMax: 1 });
  const failure = async () => (await run.describe()).raw.pendingActivities?.[0]?.lastFailure?.message;
  await expect.poll(failure, { timeout: 12_000, interval: 200 }).toBe('database_error');
  const during = await run.describe();
  await rows`alter table requests drop constraint planted`;
  expect(await run.result()).toEqual({ rows: 1 });
  const history = await decodedHistory(await run.fetchHistory(), harness.codec);
  const known = JSON.stringify([during.raw, history]);
  const decoded = known.replaceAll(/"data\\*":\s*\\*"([A-Za-z0-9+/=]+)/g, (_, data) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(decoded).toContain('database_error');
  expect(decoded).toContain('claims');
  for (const personal of [key, key.slice(-12), 'of a person']) expect(decoded).not.toContain(personal);
});
