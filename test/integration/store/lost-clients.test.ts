import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { faultCodeOf } from '#platform/failures.ts';
import { type Db, openStore } from '#store/database/connection.ts';
import { migrate } from '#store/database/migrate.ts';
import { runProgram } from '#test/support/program.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';
import { freeze, whyNoFreezing } from '#test/support/servers/freeze.ts';

/** Processes that hang, or whose machine vanishes, while they hold locks. */

const { url } = await createDatabase({ migrated: true });
const [hanging, working] = [await openStore(url), await openStore(url)];
afterAll(() => Promise.all([hanging.close(), working.close()]));
await queryAt(url, `insert into organisations (id, name) values (gen_random_uuid(), 'Acme')`);
const lockRow = (tx: Db) => sql`select from organisations for update`.execute(tx);

/** A process that locks the row and then does nothing until `goOn` is called. */
async function lockAndHang() {
  const locked = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  const ended = hanging.transaction(async (tx) => {
    await lockRow(tx);
    locked.resolve();
    await woken.promise;
    await lockRow(tx);
  });
  ended.catch(() => undefined);
  await locked.promise;
  return { goOn: woken.resolve, ended };
}

test('while a process hangs in the middle of a transaction, another gets the row within ten seconds', async () => {
  const { goOn, ended } = await lockAndHang();
  const gotRow = () =>
    working.transaction(lockRow).then(
      () => true,
      () => false,
    );
  await expect.poll(gotRow, { timeout: 10_000 }).toBe(true);
  goOn();
  expect(faultCodeOf(await ended.catch((error: unknown) => error))).toBe('database_unavailable');
  await hanging.transaction(lockRow);
});

test('who waits for a locked row gives up after less than two seconds, as if the database were away', async () => {
  const { goOn, ended } = await lockAndHang();
  const error = await working.transaction(lockRow).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: '55P03' });
  expect(faultCodeOf(error)).toBe('database_unavailable');
  goOn();
  await ended;
});

test('Postgres notices a machine that vanished', async () => {
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings where name like 'tcp%' order by name`.execute(working.db);
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    tcp_keepalives_count: '3',
    tcp_keepalives_idle: '10',
    tcp_keepalives_interval: '5',
    tcp_user_timeout: '20000',
  });
});

test('every connection that migrates has time-outs too, for locks, idle transactions and machines that vanished', async () => {
  const empty = await createDatabase({ migrated: false });
  // Whoever changes the schema leaves here what its connection began with. The build of an index waits longer for a lock.
  await queryAt(
    empty.url,
    'create schema seen',
    'create table seen.settings (name text, value text)',
    `create function seen.look() returns event_trigger language plpgsql as $$ begin
       insert into seen.settings select name, reset_val from pg_settings
       where name like 'tcp%' or name in ('lock_timeout', 'idle_in_transaction_session_timeout');
     end $$`,
    'create event trigger seen on ddl_command_end execute function seen.look()',
  );
  const program = runProgram('worker/commands/migrate.ts', { DATABASE_URL: empty.url, TEMPORAL_ADDRESS: '' });
  expect(await program.exited, program.output()).toBe(0);
  const found = await queryAt(
    empty.url,
    'select name, array_agg(distinct value order by value) as values from seen.settings group by name',
  );
  expect(Object.fromEntries(found.map(({ name, values }) => [name, values]))).toEqual({
    lock_timeout: ['5000'],
    idle_in_transaction_session_timeout: ['5000'],
    tcp_keepalives_count: ['3'],
    tcp_keepalives_idle: ['10'],
    tcp_keepalives_interval: ['5'],
    tcp_user_timeout: ['20000'],
  });
});

test('a migration that hangs does not stop the next one', async (ctx) => {
  if (whyNoFreezing !== undefined) return ctx.skip(whyNoFreezing);
  const { owner } = (await createDatabase({ migrated: false })).roleUrls;
  const blocker = await openStore(owner);
  const isBlocked = async () => {
    const [row] = await queryAt(owner, `select count(*)::int from pg_locks where not granted`);
    return row?.count;
  };
  const program = runProgram('worker/commands/migrate.ts', {
    DATABASE_URL: owner,
    TEMPORAL_ADDRESS: '',
  });
  try {
    // Postgres ends a transaction that is idle for 5 s. The repeated `select 1` prevents that.
    await blocker
      .transaction(async (tx) => {
        await sql`create table migrations (blocked int)`.execute(tx);
        for (const since = Date.now(); (await isBlocked()) !== 1; await sql`select 1`.execute(tx))
          if (Date.now() - since > 30_000) throw new Error(`nothing waits:\n${program.output()}`);
        freeze(program.pid);
        throw new Error('the table is not wanted');
      })
      .catch(() => undefined);
    expect(await migrate(owner)).not.toEqual([]);
  } finally {
    program.signal('SIGKILL');
    await blocker.close();
  }
});
