import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { noInstruments } from '#platform/telemetry/instruments.ts';
import { readiness } from '#services/health/ready.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { openStore } from '#store/database/connection.ts';
import { startDatabaseClock } from '#store/database/database-clock.ts';
import { startHarness } from '#test/support/harness.ts';
import { aged, emptyDatabase } from '../housekeeping/rows.ts';

const day = 86_400_000;
const { store, housekeepingStore, rows, ctx } = await startHarness({ worker: false });
afterEach(() => void vi.useRealTimers());

/** Starts the clock of a process on a machine whose time is wrong by these milliseconds. */
async function clockOn(wrongByMs: number, at = store) {
  vi.useRealTimers();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + wrongByMs });
  const lines = new PassThrough();
  const log = createLog({ level: 'info', format: 'json' }, lines);
  const clock = await startDatabaseClock({ store: at, log, instruments: noInstruments });
  clock.stop();
  return { clock, logged: () => String(lines.read() ?? '') };
}

const databaseMs = async () => {
  const [row] = await rows<{ now: Date }>`select clock_timestamp() as now`;
  return row?.now.getTime() ?? Number.NaN;
};

test.each([40 * day, -3_600_000])(
  'a machine that is wrong by %d ms takes the time of the database',
  async (ms) => {
    const { clock, logged } = await clockOn(ms);
    const before = await databaseMs();
    const now = clock.now().getTime();
    expect(now).toBeGreaterThan(before - 1_000);
    expect(now).toBeLessThan((await databaseMs()) + 1_000);
    expect(clock.offsetMs() / ms).toBeCloseTo(1, 2);
    expect(logged()).toContain('the clock of this machine differs');
  },
);

test('a picture is not purged by a machine that lives 40 days ahead', async () => {
  await emptyDatabase(rows);
  await aged.evidence.add(rows, new Date(Date.now() + 3_600_000));
  const order = { what: 'evidence', rowsMax: 10 } as const;
  const { clock } = await clockOn(40 * day);
  expect(await purgeExpired({ store: housekeepingStore, clock }, order)).toEqual({ rows: 0 });
  // The clock of the machine is 40 days ahead. With that clock the process purges the picture.
  expect(await purgeExpired({ store: housekeepingStore, clock: systemClock }, order)).toEqual({ rows: 1 });
});

test('/ready names a wrong clock, and the process stays ready', async () => {
  const { clock } = await clockOn(90_000);
  expect(await readiness({ ...ctx, clock })).toMatchObject({
    ready: true,
    clock: '90 s ahead of the database',
  });
  const right = await clockOn(0);
  expect(await readiness({ ...ctx, clock: right.clock })).not.toHaveProperty('clock');
  expect(right.logged()).toBe('');
});

test('without a database the time is that of the machine', async () => {
  const away = await openStore('postgres://nobody@127.0.0.1:1/x');
  const { clock } = await clockOn(0, away);
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(60_000);
  expect(clock.offsetMs()).toBe(0);
  await away.close();
});
