import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, notIdleQuery, schemaDifference } from '#store/migrate.ts';
import { migrationsList } from '#store/migrations/list.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { createDatabase, queryAt } from '#test/support/database.ts';

test('four processes migrate at once and each migration runs once; then entities and schema agree', async () => {
  const { owner: url } = (await createDatabase({ migrated: false })).roleUrls;
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
  expect(runs.flat()).toEqual(migrationsList.map(({ name }) => name));
  expect(await schemaDifference(url)).toBe('');
});

test('no build of an index waits for the transaction that has the lock, however often this one shows that it works', async () => {
  const { owner: url } = (await createDatabase({ migrated: false })).roleUrls;
  const [holder, builder] = [
    new pg.Client(url),
    new pg.Client({ connectionString: url, lock_timeout: 3_000 }),
  ];
  await Promise.all([holder.connect(), builder.connect()]);
  atTheEnd(() => Promise.all([holder.end(), builder.end()]));
  let hasEnded = false;
  const works = async () => {
    await holder.query('begin');
    while (!hasEnded) await holder.query(notIdleQuery, []);
  };
  const working = works();
  try {
    await builder.query('create table built (id int)');
    for (let builds = 0; builds < 500; builds++) {
      await builder.query('create index concurrently built_id on built (id)');
      await builder.query('drop index concurrently built_id');
    }
  } finally {
    hasEnded = true;
    await working;
  }
});

/** The migration that builds its indexes again in these tests. */
const [name, index] = ['0007-large-tables', 'deliveries_open'];

/** A database in which that migration is pending and one of its indexes is missing. */
async function withPending() {
  const { owner: url } = (await createDatabase({ migrated: true })).roleUrls;
  const [definition] = await queryAt(url, `select pg_get_indexdef('${index}'::regclass) as text`);
  await queryAt(url, `drop index ${index}`, `delete from migrations where name = '${name}'`);
  const build = String(definition?.text).replace('CREATE INDEX', 'create index concurrently');
  return { url, build };
}

/** A connection in the middle of a transaction that has read and written rows. */
async function inTransaction(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  atTheEnd(() => client.end());
  await client.query('begin isolation level repeatable read');
  await client.query('lock table deliveries in row exclusive mode');
  await client.query('select from deliveries');
  return { commit: () => client.query('commit') };
}

const isValid = async (url: string) =>
  (await queryAt(url, `select indisvalid from pg_index where indexrelid = to_regclass('${index}')`))[0]
    ?.indisvalid;

test('an index whose build has failed is built again by the next run', async () => {
  const { url, build } = await withPending();
  const other = await inTransaction(url);
  const client = new pg.Client({ connectionString: url, lock_timeout: 1 });
  await client.connect();
  await expect(client.query(build)).rejects.toMatchObject({ code: '55P03' });
  await client.end();
  expect(await isValid(url)).toBe(false);
  await other.commit();
  expect(await migrate(url)).toEqual([name]);
  expect(await isValid(url)).toBe(true);
  expect(await schemaDifference(url)).toBe('');
});

test('while an index is built, its table is written, and a long transaction only makes the build wait', async () => {
  const { url } = await withPending();
  const other = await inTransaction(url);
  const migrated = migrate(url);
  const isBuilding = async () => (await queryAt(url, 'select from pg_stat_progress_create_index')).length;
  await expect.poll(isBuilding).toBe(1);
  await queryAt(url, `set lock_timeout = '1s'; update deliveries set waited_ms = 0`);
  expect(await isValid(url)).toBe(false);
  await other.commit();
  expect(await migrated).toEqual([name]);
  expect(await isValid(url)).toBe(true);
});

test('a change of a table gives up when it waits long for its lock, and the next run makes it', async () => {
  const { owner: url } = (await createDatabase({ migrated: true })).roleUrls;
  await queryAt(url, `delete from migrations where name = '0010-vacuum'`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  atTheEnd(() => client.end());
  await client.query('begin; lock table verifications in share update exclusive mode');
  await expect(migrate(url)).rejects.toMatchObject({ code: '55P03' });
  await client.query('commit');
  expect(await migrate(url)).toEqual(['0010-vacuum']);
});

test('personal values that are in the ledger move out of it', async () => {
  const { owner: url } = (await createDatabase({ migrated: true })).roleUrls;
  const id = '01990000-0000-7000-8000-000000000001';
  await queryAt(
    url,
    `drop trigger ledger_personal_moves on ledger; drop function move_ledger_personal; drop table ledger_personal`,
    `delete from migrations where name = '0012-personal-values'`,
    `insert into organisations (id, name) values ('${id}', 'Acme')`,
    `insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, personal)
       select '${id}', n, '${id}', 'verification.created', '{}', 'h', 'h', case n when 1 then '\\x07'::bytea end
       from generate_series(1, 2) as n`,
  );
  expect(await migrate(url)).toContain('0012-personal-values');
  expect(await queryAt(url, 'select subject_id, sequence, org_id, value from ledger_personal')).toEqual([
    { subject_id: id, sequence: 1, org_id: id, value: Buffer.from([7]) },
  ]);
  expect(await queryAt(url, 'select from ledger where personal is not null')).toEqual([]);
});

/** Partitions of a table are left out: their rows are dropped with them and never updated. */
const settingsOfTables = `
  select relname as table, reloptions as settings from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition order by 1`;

test('every table is vacuumed and analysed long before a fifth of its rows have changed', async () => {
  const { owner: url } = (await createDatabase({ migrated: true })).roleUrls;
  const tables = await queryAt(url, settingsOfTables);
  expect(tables.length).toBeGreaterThan(10);
  const wanted = ['autovacuum_vacuum_scale_factor=0.005', 'autovacuum_analyze_scale_factor=0.01'];
  for (const { table, settings } of tables)
    expect(settings, String(table)).toEqual(expect.arrayContaining(wanted));
});

test('tables whose rows are updated in columns without an index leave space for that in each page', async () => {
  const { owner: url } = (await createDatabase({ migrated: true })).roleUrls;
  const spacious = (await queryAt(url, settingsOfTables)).filter(({ settings }) =>
    (settings as string[]).includes('fillfactor=85'),
  );
  expect(spacious.map(({ table }) => table)).toEqual(['api_keys', 'verifications', 'webhook_endpoints']);
});
