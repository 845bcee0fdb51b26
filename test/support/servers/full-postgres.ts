import { execFileSync } from 'node:child_process';
import { accessSync, chmodSync, chownSync, constants, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freePort } from '#test/support/servers/free-port.ts';
import { spawnChild } from '#worker/standalone/child-process.ts';
import { accountFor } from '#worker/standalone/postgres/cluster.ts';
import { systemEnv } from '#worker/standalone/system-env.ts';
import { queryAt } from './database.ts';

const needed = ['initdb', 'postgres', 'psql', 'pg_dump', 'pg_restore', 'createdb'];

function hasAll(folder: string): boolean {
  try {
    for (const program of needed) accessSync(join(folder, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const major = (folder: string) => Number(/\/(\d+)\/bin$/.exec(folder)?.[1]);

/**
 * The folder of Debian's Postgres with server and tools of one version. The npm package has no tools. Undefined if none is
 * installed.
 */
export const postgresPrograms = globSync('/usr/lib/postgresql/*/bin')
  .filter(hasAll)
  .sort((a, b) => major(b) - major(a))[0];

/** Says why tests of backups are skipped. Undefined if they can run. */
export const postgresProgramsMissing =
  postgresPrograms === undefined
    ? 'no Postgres with its tools is installed (Debian: apt-get install postgresql)'
    : undefined;

/** Starts a server for one test, on loopback and without a database of the product. */
export async function startFullPostgres(folder: string) {
  if (postgresPrograms === undefined) throw new Error(postgresProgramsMissing);
  const cluster = join(folder, 'cluster');
  mkdirSync(cluster);
  const account = accountFor(folder);
  if (account) chownSync(cluster, account.uid, account.gid);
  chmodSync(cluster, 0o700);
  const options = { cwd: '/', env: systemEnv(), ...account };
  const words = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  execFileSync(join(postgresPrograms, 'initdb'), ['-D', cluster, ...words], { ...options, stdio: 'ignore' });
  const port = await freePort();
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
  const server = spawnChild({
    command: join(postgresPrograms, 'postgres'),
    args: ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    logFile: join(folder, 'postgres.log'),
    signal: 'SIGINT',
    ...options,
  });
  const url = `postgres://postgres@127.0.0.1:${port}`;
  await vi.waitFor(() => queryAt(`${url}/postgres`, 'select 1'), { timeout: 20_000 });
  return { url, pid: server.pid, stop: () => server.stop('SIGINT', 20_000) };
}
