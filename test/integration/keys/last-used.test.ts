import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '#store/database/connection.ts';
import { writeRequestLog } from '#store/request-log.ts';
import { awaitLines, requestLine } from '#test/integration/request-log/support.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { holdRow, waitingForLocks } from '#test/support/servers/locks.ts';

const harness = await startHarness({ worker: false });

const lastUsedAt = async (id: string) => {
  const key = await harness.store.db
    .selectFrom('api_keys')
    .select('lastUsedAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return key.lastUsedAt;
};

test('a used key shows the time of its last use; a refused or unused key shows none', async () => {
  const [used, idle, expired] = [
    await harness.key(),
    await harness.key(),
    await harness.key({ expiresAt: new Date(Date.now() - 1_000) }),
  ];
  expect(await lastUsedAt(used.id)).toBeNull();
  await call(harness, 'GET', '/v1/verifications', { key: expired.key });
  await call(harness, 'GET', '/v1/verifications', { key: used.key });
  const [line] = await awaitLines(harness, used.id, 1);
  expect(await lastUsedAt(used.id)).toEqual(line?.createdAt);

  await call(harness, 'GET', '/v1/verifications', { key: used.key });
  await awaitLines(harness, used.id, 2);
  expect(await lastUsedAt(used.id)).toEqual(line?.createdAt);
  expect([await lastUsedAt(idle.id), await lastUsedAt(expired.id)]).toEqual([null, null]);
});

test('the last use is written once a minute, is never older than a minute, and never goes back', async () => {
  const { id, organisationId } = await harness.key();
  const first = new Date('2026-11-21T12:00:00.000Z').getTime();
  const use = async (...seconds: number[]) => {
    const lines = seconds.map((second) =>
      requestLine({ keyId: id, orgId: organisationId, createdAt: new Date(first + second * 1_000) }),
    );
    await writeRequestLog(harness.store.db, lines);
    return ((await lastUsedAt(id))?.getTime() ?? Number.NaN) - first;
  };
  expect(await use(0)).toBe(0);
  expect(await use(59.999)).toBe(0);
  expect(await use(60)).toBe(60_000);
  expect(await use(300, 400, 350)).toBe(400_000);
  expect(await use(100)).toBe(400_000);
});

/** Makes Postgres read keys in the order in which they are given, as it does in a large table. */
async function storeOfNestedLoops() {
  const database = sql.id(new URL(harness.databaseUrl).pathname.slice(1));
  for (const plan of ['hashjoin', 'mergejoin', 'seqscan', 'material'])
    await harness.rows`alter database ${database} set ${sql.id(`enable_${plan}`)} = off`;
  const store = await openStore(harness.databaseUrl, 2, { statementTimeoutMs: 30_000 });
  onTestFinished(() => store.close());
  return store;
}

test('two processes that note the same keys in another order do not stop each other', async () => {
  const store = await storeOfNestedLoops();
  const { organisationId } = await harness.key();
  const [first, second] = [(await harness.key()).id, (await harness.key()).id].sort() as [string, string];
  const at = new Date();
  const lineOf = (keyId: string) => requestLine({ keyId, orgId: organisationId, createdAt: at });

  const holder = await holdRow(harness, 'api_keys', first);
  const written = Promise.all([
    writeRequestLog(store.db, [lineOf(first), lineOf(second)]),
    writeRequestLog(store.db, [lineOf(second), lineOf(first)]),
  ]);
  await expect.poll(() => waitingForLocks(harness), { timeout: 20_000, interval: 20 }).toBe(2);
  await holder.release();
  await written;
  expect([await lastUsedAt(first), await lastUsedAt(second)]).toEqual([at, at]);
});
