import { afterEach, expect, test } from 'vitest';
import { type Expiring, expiring } from '#contract/workflows.ts';
import { systemClock } from '#platform/clock.ts';
import { keptMs } from '#policy/retention.ts';
import { purgeStates } from '#services/retention/overdue.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { startHarness } from '#test/support/harness.ts';
import { aged, emptyDatabase } from './rows.ts';

/** How far behind the purge of each kind is, for the metrics and for `inspect`. */

const { store, housekeepingStore, rows } = await startHarness({ worker: false });
const hour = 3_600_000;
const now = new Date('2026-06-15T12:00:00.000Z');
const ctx = { store, clock: { ...systemClock, now: () => now } };

const stateOf = async (what: Expiring) => (await purgeStates(ctx)).find((state) => state.what === what);
const purge = (what: Expiring, rowsMax: number) =>
  purgeExpired({ ...ctx, store: housekeepingStore }, { what, rowsMax });
const add = (what: Expiring, overdueMs: number) =>
  aged[what].add(rows, new Date(now.getTime() - keptMs[what] - overdueMs));

await emptyDatabase(rows);
afterEach(() => emptyDatabase(rows));

test.each(expiring)('of %s the oldest row counts, and nothing is overdue after the purge', async (what) => {
  expect(await stateOf(what)).toEqual({ what, overdueMs: 0, doneAt: undefined });
  // A line of the request log has expired when its day is over.
  const dayMs = what === 'request_log' ? 24 * hour : 0;
  for (const overdueMs of [-hour, 2 * hour, 40 * hour]) await add(what, overdueMs + dayMs);
  const expected = what === 'request_log' ? 60 * hour : 40 * hour;
  expect(await stateOf(what)).toEqual({ what, overdueMs: expected, doneAt: undefined });

  await purge(what, 1);
  expect((await stateOf(what))?.doneAt).toBeUndefined();
  await purge(what, 100);
  const state = await stateOf(what);
  expect(state).toEqual({ what, overdueMs: 0, doneAt: expect.any(Date) });
  const [clock] = await rows<{ now: Date }>`select now()`;
  expect(Number(clock?.now) - Number(state?.doneAt)).toBeLessThan(60_000);
});

test('a body that may still be sent is not overdue', async () => {
  await add('event_bodies', 40 * hour);
  await rows`
    insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed)
    select gen_random_uuid(), events.org_id, 'sandbox', events.id, webhook_endpoints.id, 'retrying', 6
    from events, webhook_endpoints`;
  expect((await stateOf('event_bodies'))?.overdueMs).toBe(0);
});
