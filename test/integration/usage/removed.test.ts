import pg from 'pg';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { callerOfOperator } from '#services/caller.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { monthlyUsage, usageOfYear } from '#services/usage/monthly.ts';
import { aged, emptyDatabase } from '#test/integration/housekeeping/rows.ts';
import { startHarness } from '#test/support/harness.ts';
import { waitingForLocks } from '#test/support/servers/locks.ts';

/** What was charged stays charged when housekeeping removes the verifications. */

const harness = await startHarness({ worker: false });
const { housekeepingStore, store, rows } = harness;
beforeEach(() => emptyDatabase(rows));

const now = new Date('2026-06-15T12:00:00.000Z');
const clock = { ...systemClock, now: () => now };
const add = (at: string, count?: number) => aged.completed_verifications.add(rows, new Date(at), count);
const purge = (
  rowsMax = 100,
  what: 'completed_verifications' | 'abandoned_verifications' = 'completed_verifications',
) => purgeExpired({ store: housekeepingStore, clock }, { what, rowsMax });
const charged = async () =>
  Object.fromEntries(
    ((await monthlyUsage(store, {})) ?? []).map(({ month, verifications }) => [month, verifications]),
  );
const stored = async () => (await rows`select 1 from verifications`).length;

test('the total of each month is the same after its verifications were removed, in several batches and in part', async () => {
  await add('2019-12-31T23:59:59.999Z', 3);
  await add('2020-01-01T00:00:00.000Z', 4);
  await add('2026-05-31T12:00:00.000Z', 2);
  const before = await charged();
  expect(before).toEqual({ '2019-12': 3, '2020-01': 4, '2026-05': 2 });
  for (const left of [7, 5, 3, 2, 2]) {
    await purge(2);
    expect([await stored(), await charged()]).toEqual([left, before]);
  }
  // What is completed later in a month of which some were removed is added.
  await add('2020-01-31T23:59:59.999Z');
  expect(await charged()).toEqual({ ...before, '2020-01': 5 });
  expect(await monthlyUsage(store, { month: '2020-01', organisation: 'Old Rows' })).toMatchObject([
    { month: '2020-01', verifications: 5 },
  ]);
  expect(await monthlyUsage(store, { month: '2020-02' })).toEqual([]);
});

test('the months of the console have what was removed too', async () => {
  await add('2020-01-15T12:00:00.000Z', 2);
  await purge();
  await add('2020-01-16T12:00:00.000Z');
  const [{ id: orgId } = { id: '' }] = await rows<{ id: string }>`select id from organisations`;
  const clock = { ...systemClock, now: () => new Date('2020-02-10T00:00:00.000Z') };
  const months = await usageOfYear({ store, clock }, callerOfOperator({ orgId, environment: 'live' }));
  expect(months.slice(0, 3)).toEqual([
    { month: '2020-02', verifications: 0 },
    { month: '2020-01', verifications: 3 },
    { month: '2019-12', verifications: 0 },
  ]);
});

test('what was never charged is in no total', async () => {
  await aged.abandoned_verifications.add(rows, new Date('2020-01-01T00:00:00.000Z'), 2);
  await add('2020-01-01T00:00:00.000Z', 2);
  await rows`update verifications set environment = 'sandbox' where status = 'completed'`;
  await purge(100, 'abandoned_verifications');
  await purge();
  expect([await stored(), await charged()]).toEqual([0, {}]);
  expect(await rows`select 1 from removed_usage`).toEqual([]);
});

test('removals at the same time count each verification once', async () => {
  await add('2020-01-01T00:00:00.000Z', 30);
  await add('2020-02-01T00:00:00.000Z', 30);
  const before = await charged();
  const untilNoneIsLeft = async () => {
    for (let found = 1; found > 0; ) found = (await purge(4)).rows;
  };
  await Promise.all(Array.from({ length: 4 }, untilNoneIsLeft));
  expect([await stored(), await charged()]).toEqual([0, before]);
});

test('a removal that is killed before its commit counts nothing, and its repetition counts once', async () => {
  await add('2020-01-01T00:00:00.000Z');
  await purge();
  await add('2020-01-02T00:00:00.000Z', 2);
  const client = new pg.Client({ connectionString: harness.databaseUrl });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query('select from removed_usage for update');
  const removal = purge().catch((error: unknown) => error);
  await vi.waitFor(async () => expect(await waitingForLocks(harness)).toBe(1));
  // It has deleted its rows, and waits for the total.
  await rows`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  expect(await removal).toBeInstanceOf(Error);
  await client.query('commit');
  expect([await stored(), await charged()]).toEqual([2, { '2020-01': 3 }]);
  for (let i = 0; i < 2; i++) await purge();
  expect([await stored(), await charged()]).toEqual([0, { '2020-01': 3 }]);
});
