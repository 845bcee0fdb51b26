import { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, notIdleQuery, schemaDifference } from '#store/database/migrate.ts';
import { ConcurrentIndexes } from '#store/migrations/concurrent-indexes.ts';
import { migrationsList } from '#store/migrations/list.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { runProgram } from '#test/support/program.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';

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
    for (let builds = 0; builds < 200; builds++) {
      await builder.query('create index concurrently built_id on built (id)');
      await builder.query('drop index concurrently built_id');
    }
  } finally {
    hasEnded = true;
    await working;
  }
});

/** Migrations as later versions bring them. */
class WaitedDeliveries extends ConcurrentIndexes {
  override readonly indexes = { deliveries_waited: 'deliveries (waited_ms, id)' };
}
class Labels extends Migration {
  override up(): void {
    this.addSql('alter table verifications add column label text null');
  }
}
const index = 'deliveries_waited';
const later = (name: string, migration: (typeof migrationsList)[number]['class']) => [
  ...migrationsList,
  { name, class: migration },
];
const withIndex = later('0002-waited-deliveries', WaitedDeliveries);

const migratedUrl = async () => (await createDatabase({ migrated: true })).roleUrls.owner;

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
  const url = await migratedUrl();
  const other = await inTransaction(url);
  const client = new pg.Client({ connectionString: url, lock_timeout: 1 });
  await client.connect();
  const build = `create index concurrently ${index} on deliveries (waited_ms, id)`;
  await expect(client.query(build)).rejects.toMatchObject({ code: '55P03' });
  await client.end();
  expect(await isValid(url)).toBe(false);
  await other.commit();
  expect(await migrate(url, withIndex)).toEqual(['0002-waited-deliveries']);
  expect(await isValid(url)).toBe(true);
});

test('while an index is built, its table is written, and a long transaction only makes the build wait', async () => {
  const url = await migratedUrl();
  const other = await inTransaction(url);
  const migrated = migrate(url, withIndex);
  const isBuilding = async () => (await queryAt(url, 'select from pg_stat_progress_create_index')).length;
  await expect.poll(isBuilding).toBe(1);
  await queryAt(url, `set lock_timeout = '1s'; update deliveries set waited_ms = 0`);
  expect(await isValid(url)).toBe(false);
  await other.commit();
  expect(await migrated).toEqual(['0002-waited-deliveries']);
  expect(await isValid(url)).toBe(true);
});

test('a change of a table gives up when it waits long for its lock, and the next run makes it', async () => {
  const url = await migratedUrl();
  const withLabels = later('0002-labels', Labels);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  atTheEnd(() => client.end());
  await client.query('begin; lock table verifications in share update exclusive mode');
  await expect(migrate(url, withLabels)).rejects.toMatchObject({ code: '55P03' });
  await client.query('commit');
  expect(await migrate(url, withLabels)).toEqual(['0002-labels']);
});

test('a database of a version before the first release is refused in plain words, and stays as it is', async () => {
  const { owner: url } = (await createDatabase({ migrated: false })).roleUrls;
  await queryAt(
    url,
    'create table migrations (id serial primary key, name varchar(255), executed_at timestamptz default now())',
    `insert into migrations (name) values ('0001-foundation'), ('0002-lists-logs-and-retention')`,
  );
  const program = runProgram('worker/commands/migrate.ts', { DATABASE_URL: url });
  expect(await program.exited).toBe(69);
  expect(program.output()).toContain('made by a version before the first release');
  expect(program.output()).toContain('Use an empty database');
  expect(
    await queryAt(
      url,
      `select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    ),
  ).toEqual([{ relname: 'migrations' }]);
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
