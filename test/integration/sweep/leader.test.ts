import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#platform/log.ts';
import { openStore } from '#store/database/connection.ts';
import { takeLease } from '#store/leases.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { createDatabase } from '#test/support/servers/database.ts';
import { startProxy } from '#test/support/servers/proxy.ts';
import { startLeader } from '#worker/leader.ts';

/** Which of several workers does the work that one worker does for all. */

const { url } = await createDatabase({ migrated: true });
const store = await openStore(url);
atTheEnd(store.close);
const rows = rowsIn(store);
const log = createLog({ level: 'silent', format: 'json' });
const times = { leaseMs: 4_000, renewEveryMs: 100 };

const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.stop()));
  await rows`delete from leases`;
});

/** A worker that is `working` while it leads. */
function startWorker(itsStore: Pick<typeof store, 'db'> = store) {
  const worker = { working: false, terms: 0 };
  const work = async (signal: AbortSignal) => {
    worker.working = true;
    worker.terms += 1;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    worker.working = false;
  };
  const leader = startLeader({ store: itsStore }, log, work, times);
  started.push(leader);
  return Object.assign(worker, leader);
}

const leaders = (workers: { working: boolean }[]) => workers.filter(({ working }) => working);

test('of several workers one works, and goes on for longer than a lease; when it stops, another one does', async () => {
  const workers = [startWorker(), startWorker(), startWorker()];
  await expect.poll(() => leaders(workers).length).toBe(1);
  const [first] = workers.filter((worker) => worker.leads());
  const expiry = async () => (await rows<{ at: Date }>`select expires_at as at from leases`)[0]?.at.getTime();
  const renewedTo = Number(await expiry()) + times.leaseMs;
  await expect.poll(expiry).toBeGreaterThan(renewedTo);
  expect(workers.map(({ terms }) => terms).sort()).toEqual([0, 0, 1]);

  await first?.stop();
  expect(first?.working).toBe(false);
  expect(first?.leads()).toBe(false);
  await expect.poll(() => leaders(workers).length).toBe(1);
  expect(workers.map(({ terms }) => terms).sort()).toEqual([0, 1, 1]);
});

test('a worker that is told to stop while it asks for the lease begins no work, and leaves no lease', async () => {
  const worker = startWorker();
  await worker.stop();
  expect(worker.terms).toBe(0);
  expect(await rows`select from leases`).toEqual([]);
}, 5_000);

test('a leader that hung loses its lease to another worker, and ends its work when it notices', async () => {
  const hung = startWorker();
  await expect.poll(() => hung.working).toBe(true);
  await rows`update leases set holder = ${randomUUID()}, expires_at = now() + interval '1 hour'`;
  await expect.poll(() => hung.working).toBe(false);
  expect(hung.leads()).toBe(false);
  expect(hung.terms).toBe(1);
});

test('the lease of a worker that vanished is taken as soon as it expires, and not before', async () => {
  const vanished = randomUUID();
  await takeLease(store.db, { name: 'sweep', holder: vanished, ms: 3_600_000 });
  const next = startWorker();
  const tries = async () =>
    (
      await rows<{ n: number }>`
      select xact_commit::int as n from pg_stat_database where datname = current_database()`
    )[0]?.n ?? 0;
  const triedTo = (await tries()) + 5;
  await expect.poll(tries).toBeGreaterThan(triedTo);
  expect(next.terms).toBe(0);
  await rows`update leases set expires_at = now() - interval '1 ms'`;
  await expect.poll(() => next.working).toBe(true);
  expect(await rows`select 1 from leases where holder = ${vanished}`).toEqual([]);
});

test('a leader that the database does not answer works until its lease expires, and leads again afterwards', async () => {
  const proxy = await startProxy(Number(new URL(url).port));
  atTheEnd(proxy.stop);
  const away = await openStore(Object.assign(new URL(url), { port: String(proxy.port) }).toString());
  atTheEnd(away.close);
  const worker = startWorker(away);
  await expect.poll(() => worker.working).toBe(true);
  proxy.down();
  await expect.poll(() => worker.working).toBe(false);
  await proxy.up();
  await expect.poll(() => worker.working).toBe(true);
  expect(worker.terms).toBe(2);
});
