import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StartFault } from '#platform/failures.ts';
import { queryAt } from '#test/support/servers/database.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { findBinaries } from '#worker/standalone/postgres/binaries.ts';
import { accountFor } from '#worker/standalone/postgres/cluster.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';
import { becomes, isGone, newDataDir, newFolder, parentProgram, runProgram, startParent } from './support.ts';

const say = () => {};

async function started(dataDir: string, lines: string[] = []) {
  const postgres = await startPostgres({ dataDir, durable: false, say: (line) => lines.push(line) });
  onTestFinished(() => postgres.stop());
  return postgres;
}

async function stoppedCluster(): Promise<string> {
  const dataDir = newDataDir();
  const postgres = await startPostgres({ dataDir, durable: false, say });
  await postgres.stop();
  return dataDir;
}

test('a second start finds the data of the first', async () => {
  const dataDir = newDataDir();
  const first = await startPostgres({ dataDir, durable: false, say });
  await queryAt(first.url, 'create table kept (value text)', "insert into kept values ('still here')");
  await first.stop();
  expect(isGone(first.pid)).toBe(true);
  const second = await started(dataDir);
  expect(await queryAt(second.url, 'select value from kept')).toEqual([{ value: 'still here' }]);
});

test('secrets and the log are for their owner only, and the server listens on loopback alone', async () => {
  const dataDir = newDataDir();
  const postgres = await started(dataDir);
  const mode = (name: string) => (statSync(join(dataDir, name)).mode & 0o777).toString(8);
  expect([mode('.'), mode('postgres'), mode('postgres-password'), mode('postgres.log')]).toEqual([
    '711',
    '700',
    '600',
    '600',
  ]);
  const [settings] = await queryAt(
    postgres.url,
    "select current_setting('listen_addresses') a, current_setting('unix_socket_directories') u, current_setting('TimeZone') z",
  );
  expect(settings).toEqual({ a: '127.0.0.1', u: '', z: 'UTC' });
});

test.each([
  ['of a process that has ended', () => '2147483000'],
  ['of a foreign process that has got its pid', () => String(process.pid)],
])('a postmaster.pid %s does not keep it from starting', async (_, pid) => {
  const dataDir = await stoppedCluster();
  const lines = [
    pid(),
    join(dataDir, 'postgres'),
    '1700000000',
    '5432',
    '',
    '127.0.0.1',
    ' 1 2',
    'ready   ',
    '',
  ];
  writeFileSync(join(dataDir, 'postgres/postmaster.pid'), lines.join('\n'));
  expect((await started(dataDir)).pid).toBeGreaterThan(0);
});

test.each([
  ['garbage', 'not a pid\n'],
  ['empty', ''],
])('a postmaster.pid that is %s does not keep it from starting', async (_, text) => {
  const dataDir = await stoppedCluster();
  writeFileSync(join(dataDir, 'postgres/postmaster.pid'), text);
  expect((await started(dataDir)).pid).toBeGreaterThan(0);
});

test('a Postgres that lost its parent is stopped before a new one starts', async () => {
  const dataDir = await stoppedCluster();
  const account = accountFor(dataDir);
  const { postgres } = await findBinaries(account, dataDir, say);
  const cluster = join(dataDir, 'postgres');
  const port = `port=${await freePort()}`;
  const args = [
    '-D',
    cluster,
    '-c',
    port,
    '-c',
    'listen_addresses=127.0.0.1',
    '-c',
    'unix_socket_directories=',
  ];
  const orphan = spawn(postgres, args, { ...account, cwd: '/', stdio: 'ignore' });
  onTestFinished(() => void orphan.kill('SIGKILL'));
  const statusOf = () => readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[7] ?? '';
  await becomes(() => existsSync(join(cluster, 'postmaster.pid')) && statusOf().startsWith('ready'), 10_000);

  const lines: string[] = [];
  await started(dataDir, lines);
  expect(orphan.exitCode).toBe(0);
  expect(lines).toEqual([`Stopping a Postgres that an earlier instance left behind (pid ${orphan.pid})`]);
});

test('the next start repairs a first start that was killed half-way', async () => {
  const dataDir = newDataDir();
  const { process: killed, code } = runProgram(parentProgram, [dataDir]);
  const halfWay = () =>
    existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith('postgres.making-'));
  expect(await becomes(halfWay, 10_000)).toBe(true);
  killed.kill('SIGKILL');
  await code;
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);

  const postgres = await started(dataDir);
  expect(await queryAt(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.'))).toEqual(['postgres.log']);
});

test('a half-made cluster of unknown origin is set aside, not used and not deleted', async () => {
  const dataDir = newDataDir();
  mkdirSync(join(dataDir, 'postgres'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '18\n');
  await started(dataDir);
  const [aside = ''] = readdirSync(dataDir).filter((name) => /^postgres\.\d+$/.test(name));
  expect(readdirSync(join(dataDir, aside))).toEqual(['PG_VERSION']);
});

test('of two starts at once on one data directory exactly one wins, and the other says so in one line', async () => {
  const dataDir = newDataDir();
  const rivals = [runProgram(parentProgram, [dataDir]), runProgram(parentProgram, [dataDir])];
  const codes = await Promise.race(rivals.map(({ code }, index) => code.then((value) => ({ value, index }))));
  expect(codes.value).toBe(69);
  const loser = rivals[codes.index];
  const winner = rivals[1 - codes.index];
  expect(await loser?.stderr).toBe(
    `${dataDir} is already in use by another running instance (pid ${winner?.process.pid}) — ` +
      'stop it first or choose another DATA_DIR.\n',
  );
  const pidFile = join(dataDir, 'postgres/postmaster.pid');
  const isWritten = () => existsSync(pidFile) && readFileSync(pidFile, 'utf8').includes('\n');
  expect(await becomes(isWritten, 10_000)).toBe(true);
  expect(winner?.process.exitCode).toBe(null);
  const serverPid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  winner?.process.kill('SIGKILL');
  expect(await becomes(() => isGone(serverPid), 10_000)).toBe(true);
});

test('Postgres ends when its parent is killed, and keeps what was committed', async () => {
  const dataDir = newDataDir();
  const { process: parent, servers } = await startParent(dataDir);
  await queryAt(servers.postgres.url, 'create table kept (value int)', 'insert into kept values (1)');
  parent.kill('SIGKILL');
  expect(await becomes(() => isGone(servers.postgres.pid), 10_000)).toBe(true);
  const postgres = await started(dataDir);
  expect(await queryAt(postgres.url, 'select value from kept')).toEqual([{ value: 1 }]);
});

test('the log never quotes a row, a statement or a parameter, whatever fails', async () => {
  const dataDir = newDataDir();
  const postgres = await started(dataDir);
  const secret = 'J0hanna-Planted';
  await queryAt(postgres.url, 'create table people (name text unique, age int check (age > 0))');
  const failing = [
    `insert into people values ('${secret}', 1), ('${secret}', 2)`,
    `insert into people values ('${secret}', -1)`,
    `select '${secret}'::int`,
    `select * from "${secret}"`,
    `do $$ begin raise exception '${secret}'; end $$`,
    `do $$ begin raise warning '${secret}'; end $$; select broken('${secret}')`,
  ];
  for (const statement of failing) await expect(queryAt(postgres.url, statement)).rejects.toThrow();
  await expect(queryAt(postgres.url, 'select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow();
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8');
  expect(log).toContain('ready to accept connections');
  expect(log).not.toContain(secret);
});

test('a data directory that is a file ends the start with one plain line', async () => {
  const file = join(newFolder(), 'data');
  writeFileSync(file, '');
  const fault = await startPostgres({ dataDir: file, durable: false, say }).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(StartFault);
  expect(fault).toMatchObject({
    exitCode: 73,
    message: `${file} is a file or lies below one, so it cannot be a directory: move that file away, or choose another DATA_DIR.`,
  });
});

test('a lost password is reported, not replaced', async () => {
  const dataDir = await stoppedCluster();
  rmSync(join(dataDir, 'postgres-password'));
  await expect(startPostgres({ dataDir, durable: false, say })).rejects.toThrow(
    /postgres-password is missing/,
  );
});
