import { expect, test } from 'vitest';
import { openOrm, openStore } from '#store/connection.ts';
import { migrate } from '#store/migrate.ts';
import { writeRequestLog } from '#store/request-log.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { createDatabase } from '#test/support/database.ts';
import { rowsIn } from '#test/support/rows.ts';

/** The request log of a service in use is divided into days, while its lines are written. */

const { owner: url } = (await createDatabase({ migrated: false })).roleUrls;
const before = await openOrm(url, { poolMax: 2, statementTimeoutMs: 0, lockTimeoutMs: 10_000 });
await before.migrator.up({ to: '0008-sweep-and-housekeeping' });
await before.close(true);
const store = await openStore(url);
atTheEnd(store.close);
const rows = rowsIn(store);

const org = '00000000-0000-7000-8000-000000000001';
const line = (requestId: string, createdAt = new Date()) => ({
  ...{ requestId, createdAt, orgId: org, keyId: org, environment: 'sandbox' as const },
  ...{ method: 'GET', path: '/v1/webhooks', status: 200, code: null, durationMs: 1 },
});

const filesOfIndexes = async () =>
  (
    await rows<{ file: string }>`
      select pg_relation_filenode(indexrelid)::text as file from pg_index
      where indrelid = to_regclass('request_log_before') or indrelid = to_regclass('request_log')
        and not exists (select from pg_class where oid = indexrelid and relkind = 'I')
      order by 1`
  ).map(({ file }) => file);

test('a filled table is attached as it is: no line is lost, nothing is built anew, and writers go on', async () => {
  const aged = 5_000;
  await rows`
    insert into request_log (request_id, org_id, environment, key_id, method, path, status, duration_ms, created_at)
    select 'req_old_' || n, ${org}, 'sandbox', ${org}, 'GET', '/v1/webhooks', 200, 1, now() - n * interval '10 minutes'
    from generate_series(1, ${aged}::int) as n`;
  const files = await filesOfIndexes();
  expect(files).toHaveLength(3);

  let written = 0;
  let isDone = false;
  const writer = (async () => {
    while (!isDone) await writeRequestLog(store.db, [line(`req_${written++}`)]);
  })();
  expect(await migrate(url)).toContain('0009-daily-request-log');
  isDone = true;
  await writer;
  await writeRequestLog(store.db, [line('req_last')]);

  const [count] = await rows<{ n: number; ids: number }>`
    select count(*)::int as n, count(distinct id)::int as ids from request_log`;
  expect(count).toEqual({ n: aged + written + 1, ids: aged + written + 1 });
  expect(await rows`select distinct tableoid::regclass::text as place from request_log`).toEqual([
    { place: 'request_log_before' },
  ]);
  expect(await filesOfIndexes()).toEqual(files);
});

test('it takes the lines of some more days, and the days after it are made', async () => {
  const placeOf = async (ms: number) => {
    const requestId = `req_in_${ms}`;
    await writeRequestLog(store.db, [line(requestId, new Date(Date.now() + ms))]);
    const [found] = await rows<{ place: string }>`
      select tableoid::regclass::text as place from request_log where request_id = ${requestId}`;
    return found?.place;
  };
  const day = 86_400_000;
  expect(await placeOf(day)).toBe('request_log_before');
  expect(await placeOf(8 * day)).toMatch(/^request_log_\d{8}$/);
});

test('the migration may be repeated, also if it was cut off after the division', async () => {
  await rows`delete from migrations where name = '0009-daily-request-log'`;
  const [before] = await rows`select count(*)::int as n from request_log`;
  expect(await migrate(url)).toEqual(['0009-daily-request-log']);
  expect(await rows`select count(*)::int as n from request_log`).toEqual([before]);
});

test('when the old table has gone, new lines still get their numbers', async () => {
  await rows`drop table request_log_before`;
  await writeRequestLog(store.db, [line('req_after')]);
  const [found] = await rows<{ id: string; place: string }>`
    select id, tableoid::regclass::text as place from request_log where request_id = 'req_after'`;
  expect(Number(found?.id)).toBeGreaterThan(5_000);
  expect(found?.place).toBe('request_log_default');
});
