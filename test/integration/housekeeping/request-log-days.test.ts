import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { openStore } from '#store/database/connection.ts';
import { writeRequestLog } from '#store/request-log.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';

/** The request log has a table for each day (UTC). Days are made ahead, and dropped whole. */

const day = 86_400_000;

async function openDatabase() {
  const { url, name } = await createDatabase({ migrated: true });
  const store = await openStore(url);
  atTheEnd(store.close);
  return { url, name, store, rows: rowsIn(store) };
}

const lineAt = (createdAt: Date, requestId = `req_${createdAt.getTime()}`) => ({
  ...{ requestId, createdAt, orgId: org, keyId: org, environment: 'sandbox' as const },
  ...{ method: 'GET', path: '/v1/webhooks', status: 200, code: null, durationMs: 1 },
});
const org = '00000000-0000-7000-8000-000000000001';

const tableOf = (at: Date) => `request_log_${at.toISOString().slice(0, 10).replaceAll('-', '')}`;
const today = new Date(Math.floor(Date.now() / day) * day);
const inDays = (days: number) => new Date(today.getTime() + days * day + day / 2);

type Opened = Awaited<ReturnType<typeof openDatabase>>;
const tablesOf = async ({ rows }: Opened) =>
  (
    await rows<{ name: string }>`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'request_log'::regclass order by 1`
  ).map(({ name }) => name);
/** A day that was dropped in a test is made anew, because it has not passed by the clock of the database. So its oid is another. */
const oidOf = async ({ rows }: Opened, at: Date) =>
  (await rows<{ oid: number }>`select to_regclass(${tableOf(at)})::oid as oid`)[0]?.oid;
const placesOf = async ({ rows }: Opened) =>
  (
    await rows<{
      place: string;
    }>`select tableoid::regclass::text as place from request_log order by created_at`
  ).map(({ place }) => place);
const purgeAt = ({ store }: Opened, now: Date) =>
  purgeExpired({ store, clock: { ...systemClock, now: () => now } }, { what: 'request_log', rowsMax: 1_000 });

test('lines of today and of the days to come are stored in the table of their day', async () => {
  const database = await openDatabase();
  const times = [inDays(0), inDays(1), inDays(14)];
  await writeRequestLog(
    database.store.db,
    times.map((at) => lineAt(at)),
  );
  expect(await placesOf(database)).toEqual(times.map(tableOf));
});

test('a line that no day takes is stored all the same, and deleted when its time is over', async () => {
  const database = await openDatabase();
  const { store } = database;
  await writeRequestLog(store.db, [lineAt(inDays(40)), lineAt(inDays(41))]);
  expect(await placesOf(database)).toEqual(['request_log_default', 'request_log_default']);
  expect(await purgeAt(database, inDays(40 + 30))).toEqual({ rows: 0 });
  expect(await purgeAt(database, inDays(40 + 31))).toEqual({ rows: 1 });
  expect(await placesOf(database)).toEqual(['request_log_default']);
});

test('a day is dropped when its last line has expired, and not before; days ahead are made', async () => {
  const database = await openDatabase();
  const { store, rows } = database;
  await writeRequestLog(store.db, [lineAt(inDays(0)), lineAt(inDays(1)), lineAt(inDays(2))]);
  await rows`drop table ${sql.table(tableOf(inDays(14)))}`;
  const lastMoment = new Date(today.getTime() + 31 * day - 1);
  await purgeAt(database, lastMoment);
  expect(await placesOf(database)).toEqual([0, 1, 2].map((n) => tableOf(inDays(n))));
  expect(await tablesOf(database)).toContain(tableOf(inDays(14)));

  const oids = [await oidOf(database, inDays(0)), await oidOf(database, inDays(1))];
  await purgeAt(database, new Date(lastMoment.getTime() + 1));
  expect(await oidOf(database, inDays(0))).not.toBe(oids[0]);
  expect(await oidOf(database, inDays(1))).toBe(oids[1]);
  expect(await placesOf(database)).toEqual([1, 2].map((n) => tableOf(inDays(n))));
  await purgeAt(database, inDays(2 + 31));
  expect(await placesOf(database)).toEqual([]);
});

test('a day whose lines are in the default table already does not stop the other days', async () => {
  const database = await openDatabase();
  const { store, rows } = database;
  for (const n of [5, 6]) await rows`drop table ${sql.table(tableOf(inDays(n)))}`;
  await writeRequestLog(store.db, [lineAt(inDays(5))]);
  await purgeAt(database, new Date());
  expect(await tablesOf(database)).toContain(tableOf(inDays(6)));
  expect(await tablesOf(database)).not.toContain(tableOf(inDays(5)));
  await writeRequestLog(store.db, [lineAt(inDays(5), 'req_second')]);
  expect(await placesOf(database)).toEqual(['request_log_default', 'request_log_default']);
});

test('a role that may neither create nor drop tables keeps the days', async () => {
  const database = await openDatabase();
  const { name, url, rows } = database;
  const role = `app_${name}`;
  await queryAt(
    url,
    `create role ${role} login password 'app'`,
    `grant usage on schema public to ${role}`,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
    `grant usage on sequence request_log_id_seq to ${role}`,
    `grant execute on function make_request_log_days(), drop_request_log_days(timestamptz) to ${role}`,
  );
  atTheEnd(() => queryAt(url, `drop owned by ${role}`, `drop role ${role}`));
  const store = await openStore(Object.assign(new URL(url), { username: role, password: 'app' }).toString());
  const app = { ...database, store, rows: rowsIn(store) };
  await rows`drop table ${sql.table(tableOf(inDays(14)))}`;
  await writeRequestLog(store.db, [lineAt(inDays(0)), lineAt(inDays(40))]);
  await purgeAt(app, inDays(40 + 31));
  await store.close();
  expect(await tablesOf(database)).toContain(tableOf(inDays(14)));
  expect(await placesOf(database)).toEqual([]);

  const asApp = Object.assign(new URL(url), { username: role, password: 'app' }).toString();
  for (const statement of [
    'create table mine (id int)',
    `drop table ${tableOf(inDays(3))}`,
    'truncate request_log',
  ])
    await expect(queryAt(asApp, statement), statement).rejects.toMatchObject({ code: '42501' });
});
