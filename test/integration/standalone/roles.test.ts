import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { readConfig } from '#platform/config/config.ts';
import { migrate } from '#store/database/migrate.ts';
import { runProgram } from '#test/support/program.ts';
import { createDatabase, queryAt } from '#test/support/servers/database.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { databaseFor } from '#worker/standalone/own-servers.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';
import { newDataDir } from './support.ts';

const say = () => undefined;

async function ownDatabase(dataDir: string) {
  const database = await databaseFor(readConfig({}), dataDir, say);
  onTestFinished(() => database.stop());
  return database;
}

/** The owners of the database, its tables and its functions, but for what every database has. */
const owners = (url: string) =>
  queryAt(
    url,
    `select datdba::regrole::text as owner, count(*)::int > 0 as some from pg_database where datname = current_database() group by 1
     union all
     select relowner::regrole::text, count(*) > 50 from pg_class where relnamespace = 'public'::regnamespace group by 1
     union all
     select proowner::regrole::text, count(*) > 2 from pg_proc where pronamespace = 'public'::regnamespace group by 1`,
  );
const ofTheOwner = Array.from({ length: 3 }, () => ({ owner: 'verification_owner', some: true }));

test('with a Postgres of its own, npm start gives the product three roles that are no superusers', async () => {
  const database = await ownDatabase(newDataDir());
  const roleOf = (url: string) =>
    queryAt(
      url,
      'select rolname, rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user',
    );
  const withoutPower = { rolsuper: false, rolcreatedb: false, rolcreaterole: false };
  expect(await roleOf(database.url)).toEqual([{ rolname: 'verification_app', ...withoutPower }]);
  expect(await roleOf(database.ownerUrl)).toEqual([{ rolname: 'verification_owner', ...withoutPower }]);
  expect(await roleOf(String(database.housekeepingUrl))).toEqual([
    { rolname: 'verification_housekeeping', ...withoutPower },
  ]);
  expect(await owners(database.url)).toEqual(ofTheOwner);
  for (const url of [database.url, String(database.housekeepingUrl)])
    await expect(queryAt(url, 'create temporary table mine (id int)')).rejects.toMatchObject({
      code: '42501',
    });
});

test('what an earlier npm start made as a superuser is handed over, and its rows stay', async () => {
  const dataDir = newDataDir();
  const postgres = await startPostgres({ dataDir, durable: false, say });
  await migrate(postgres.url);
  const id = '01990000-0000-7000-8000-000000000001';
  await queryAt(postgres.url, `insert into organisations (id, name) values ('${id}', 'Acme')`);
  expect(await owners(postgres.url)).not.toContainEqual(ofTheOwner[0]);
  await postgres.stop();

  const database = await ownDatabase(dataDir);
  expect(await owners(database.url)).toEqual(ofTheOwner);
  expect(await queryAt(database.url, 'select id from organisations')).toEqual([{ id }]);
});

const warning = 'The role of DATABASE_URL can change the ledger';

async function started(program: string, databaseUrl: string) {
  const port = await freePort();
  const running = runProgram(program, {
    DATABASE_URL: databaseUrl,
    OWNER_DATABASE_URL: '',
    HOUSEKEEPING_DATABASE_URL: '',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: `http://localhost:${port}`,
    PORT: String(port),
    LOG_FORMAT: 'json',
  });
  onTestFinished(async () => {
    running.signal('SIGKILL');
    await running.exited;
  });
  return { ...running, port };
}

const patient = { timeout: 60_000, interval: 100 };

test.each(['api/main.ts', 'worker/main.ts'])(
  '%s works with one DATABASE_URL for everything, and warns',
  async (program) => {
    const { url } = await createDatabase({ migrated: true });
    const { output, port } = await started(program, url);
    await vi.waitFor(() => expect(output()).toContain(warning), patient);
    if (program !== 'api/main.ts') return;
    const answers = async () => (await fetch(`http://localhost:${port}/v1/health`)).status;
    await vi.waitFor(async () => expect(await answers()).toBe(200), patient);
  },
);

test('with the role of the product the API does not warn', async () => {
  const { roleUrls } = await createDatabase({ migrated: true });
  const { output, port } = await started('api/main.ts', roleUrls.app);
  const ready = async () => (await fetch(`http://localhost:${port}/ready`)).status;
  await vi.waitFor(async () => expect(await ready()).toBe(200), patient);
  expect(output()).not.toContain(warning);
});
