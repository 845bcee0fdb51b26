import { sql } from 'kysely';
import { type Clock, isClockOff } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import type { Store } from './connection.ts';

const readEveryMs = 10_000;
/**
 * A reading that takes longer is dropped, since it is not known when during the reading the database read its clock. Only the first one is
 * always used, because the clock of the machine may be worse.
 */
const tookMsMax = 1_000;

export type DatabaseClock = Clock & { stop(): void };

type Parts = {
  store: Pick<Store, 'db'>;
  log: Pick<Log, 'warn'>;
  instruments: Pick<Instruments, 'clockOffset'>;
};

/**
 * The clock of the database, which all processes share. If a process used its own wrong clock, it would purge rows too early, or
 * sign events with a time that every receiver refuses. The time is read from the database every ten seconds. The monotonic clock
 * measures the time since the last reading. Until the first reading, the time is that of this machine.
 */
export async function startDatabaseClock({ store, log, instruments }: Parts): Promise<DatabaseClock> {
  let read = { databaseMs: Date.now(), atMs: performance.now() };
  let isRead = false;
  let offsetMs = 0;

  const nowMs = () => read.databaseMs + performance.now() - read.atMs;
  const readDatabase = async () => {
    const beforeMs = performance.now();
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(store.db);
    const tookMs = performance.now() - beforeMs;
    const atMs = beforeMs + tookMs / 2;
    const databaseMs = rows[0]?.now.getTime();
    if (databaseMs === undefined || (isRead && tookMs > tookMsMax)) return;
    read = { databaseMs, atMs };
    isRead = true;
    const wasOff = isClockOff(offsetMs);
    offsetMs = Date.now() - nowMs();
    if (isClockOff(offsetMs) && !wasOff)
      log.warn(
        { offset_ms: Math.round(offsetMs) },
        'the clock of this machine differs from that of the database',
      );
  };
  // A database that does not answer is reported elsewhere. The last reading stays valid.
  const readOrKeep = () => readDatabase().catch(() => undefined);

  await readOrKeep();
  const timer = setInterval(readOrKeep, readEveryMs);
  timer.unref();
  instruments.clockOffset.addCallback((result) => result.observe(offsetMs / 1_000));
  return {
    now: () => new Date(nowMs()),
    monotonicMs: () => performance.now(),
    offsetMs: () => offsetMs,
    stop: () => clearInterval(timer),
  };
}
