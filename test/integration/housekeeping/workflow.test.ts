import { randomUUID } from 'node:crypto';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, test } from 'vitest';
import {
  expiring,
  type HousekeepingInput,
  type HousekeepingResult,
  workflowNames,
} from '#contract/workflows.ts';
import { housekeepingInput } from '#policy/retention.ts';
import { startHarness } from '#test/support/harness.ts';
import { addClaim, aged, emptyDatabase } from './rows.ts';

const harness = await startHarness();
const { rows } = harness;

const start = (input: HousekeepingInput) =>
  harness.temporal.workflow.start<(input: HousekeepingInput) => Promise<HousekeepingResult>>(
    workflowNames.housekeeping,
    { workflowId: `housekeeping-${randomUUID()}`, taskQueue: harness.queues.verifications, args: [input] },
  );
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('a run purges every kind, batch after batch, and says how much', async () => {
  await emptyDatabase(rows);
  const counts = { claims: 5, request_log: 4, event_bodies: 3, response_excerpts: 2, evidence: 6 };
  for (const what of expiring) {
    await aged[what].add(rows, daysAgo(31), counts[what]);
    await aged[what].add(rows, daysAgo(what === 'claims' ? 0.99 : 29.9));
  }
  const run = await start({ ...housekeepingInput, batchSize: 2 });
  // The two old response excerpts belong to two old events, whose bodies are purged too.
  expect(await run.result()).toEqual({ ...counts, event_bodies: 3 + 2 });
  for (const what of expiring)
    expect((await aged[what].left(rows)).length, what).toBe(what === 'event_bodies' ? 2 : 1);
});

test('a run ends after so many batches of a kind, and the next goes on', async () => {
  await emptyDatabase(rows);
  await aged.request_log.add(rows, daysAgo(31), 25);
  const input: HousekeepingInput = { what: ['request_log', 'claims'], batchSize: 5, batchesMax: 3 };
  expect(await (await start(input)).result()).toEqual({ request_log: 15, claims: 0 });
  expect(await (await start(input)).result()).toEqual({ request_log: 10, claims: 0 });
});

test('large rows are purged in smaller batches, so that no statement meets its time limit', async () => {
  await emptyDatabase(rows);
  await aged.evidence.add(rows, daysAgo(31), 8);
  const input: HousekeepingInput = {
    ...{ what: ['evidence'], batchSize: 1_000, batchesMax: 2 },
    batchSizes: { evidence: 3 },
  };
  expect(await (await start(input)).result()).toEqual({ evidence: 6 });
  expect(await (await start(input)).result()).toEqual({ evidence: 2 });
  expect(housekeepingInput.batchSizes?.evidence).toBeLessThanOrEqual(50);
});

test('two runs at the same time purge everything, and count nothing twice', async () => {
  await emptyDatabase(rows);
  await aged.request_log.add(rows, daysAgo(31), 300);
  const input: HousekeepingInput = { what: ['request_log'], batchSize: 10, batchesMax: 500 };
  const runs = await Promise.all([start(input), start(input)]);
  const [first, second] = await Promise.all(runs.map((run) => run.result()));
  expect(Number(first?.request_log) + Number(second?.request_log)).toBe(300);
  expect(await aged.request_log.left(rows)).toEqual([]);
});

test('a purge that fails is repeated until it succeeds, and tells Temporal nothing of the row', async () => {
  await emptyDatabase(rows);
  const key = `geheim-${randomUUID()}`;
  await addClaim(rows, { key, status: 'claimed', at: daysAgo(2) });
  // The update fails with "Failing row contains (…)" until the constraint is gone.
  await rows`alter table requests add constraint planted check (status <> 'abandoned')`;
  const run = await start(housekeepingInput);
  const failure = async () => (await run.describe()).raw.pendingActivities?.[0]?.lastFailure?.message;
  await expect.poll(failure, { timeout: 12_000, interval: 200 }).toBe('database_error');
  const during = await run.describe();
  await rows`alter table requests drop constraint planted`;
  expect((await run.result()).claims).toBe(1);
  const known = JSON.stringify([during.raw, historyToJSON(await run.fetchHistory())]);
  const decoded = known.replaceAll(/"data\\*":\s*\\*"([A-Za-z0-9+/=]+)/g, (_, data) =>
    Buffer.from(data, 'base64').toString(),
  );
  expect(decoded).toContain('database_error');
  expect(decoded).toContain('response_excerpts');
  for (const personal of [key, key.slice(-12), 'of a person']) expect(decoded).not.toContain(personal);
});
