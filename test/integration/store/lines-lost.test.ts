import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { faultCodeOf } from '#platform/failures.ts';
import { openStore } from '#store/database/connection.ts';
import { scopeOfKey } from '#store/database/scope.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import { createDatabase } from '#test/support/servers/database.ts';
import { startProxy } from '#test/support/servers/proxy.ts';
import { connectionsAt, openLine } from './open-line.ts';

/** Lines while Postgres stands still, is locked or is slow. The tests mostly wait, so they run side by side. A statement may take a second here, and a wait for a lock less. */
const impatient = { statementTimeoutMs: 1_000, lines: 1 };

/** A database behind a proxy that can be held. */
async function held() {
  const { url } = await createDatabase({ migrated: true });
  const proxy = await startProxy(Number(new URL(url).port));
  const through = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(proxy.port) });
  return { url, proxy, through: through.toString() };
}

const faultsOf = async (reads: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(reads)).map((read) =>
    read.status === 'fulfilled' ? 'answered' : faultCodeOf(read.reason),
  );

test.concurrent('a line that takes long to open is opened once, and none is left after the end', async () => {
  const { url, proxy, through } = await held();
  const store = await openStore(through, 2, impatient);
  proxy.hold('requests', 'answers');
  const reads: Promise<unknown>[] = [];
  for (let n = 0; n < 8; n++) {
    reads.push(sql`select 1`.execute(store.reads));
    await pause(300);
  }
  proxy.release();
  await Promise.allSettled(reads);
  await openLine(store);

  expect(await connectionsAt(url)).toBeLessThanOrEqual(2);
  await store.close();
  await vi.waitFor(async () => expect(await connectionsAt(url)).toBe(0), { timeout: 20_000 });
  await proxy.stop();
});

test.concurrent('reads behind one that cannot prepare its statement fail as it does, and none with an error of the product', async () => {
  const { url } = await createDatabase({ migrated: true });
  const store = await openStore(url, 12, impatient);
  await openLine(store);
  const scope = scopeOfKey({ orgId: randomUUID(), environment: 'sandbox' });
  const find = () => verificationsOf(scope, store.reads).find(randomUUID());
  const locking = await openStore(url, 1);
  await locking.transaction(async (tx) => {
    await sql`lock table verifications in access exclusive mode`.execute(tx);
    expect(new Set(await faultsOf(Array.from({ length: 10 }, find)))).toEqual(
      new Set(['database_unavailable']),
    );
  });
  expect(await find()).toBeUndefined();
  await Promise.all([store.close(), locking.close()]);
});

test.concurrent('quick reads of the turn in which slow ones end the line are answered', async () => {
  const { url } = await createDatabase({ migrated: true });
  const store = await openStore(url, 12, impatient);
  await openLine(store);
  const slow = Array.from({ length: 4 }, () => sql`select pg_sleep(30)`.execute(store.reads));
  const quick = Array.from({ length: 14 }, () => sql`select 1`.execute(store.reads));
  const [ofQuick, ofSlow] = await Promise.all([faultsOf(quick), faultsOf(slow)]);
  expect(new Set(ofQuick)).toEqual(new Set(['answered']));
  expect(new Set(ofSlow)).toEqual(new Set(['database_unavailable']));
  await openLine(store);
  await store.close();
});

test.concurrent('a store closes although Postgres hangs', async () => {
  const { proxy, through } = await held();
  const store = await openStore(through, 3, impatient);
  await openLine(store);
  proxy.hold('requests', 'answers');
  await store.close();
  await proxy.stop();
});
