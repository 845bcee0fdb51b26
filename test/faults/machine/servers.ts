import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '#test/support/servers/free-port.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { type Child, spawnChild } from '#worker/standalone/child-process.ts';
import { findBinaries } from '#worker/standalone/postgres/binaries.ts';
import { accountFor } from '#worker/standalone/postgres/cluster.ts';
import { startPostgres } from '#worker/standalone/postgres/postgres.ts';
import { cliSearchAttributes } from '#worker/standalone/temporal/search-attributes.ts';
import { findTemporal, startDev } from '#worker/standalone/temporal/temporal.ts';
import { queryOnce, until, withTemporal } from './tools.ts';

const say = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * A program of the product, or one of its servers, in a process of its own. It keeps its port after every restart, so that the
 * other parts find it.
 */
export type Part = {
  name: string;
  start(): Promise<void>;
  pid(): number | undefined;
  signal(name: NodeJS.Signals): void;
  running(): boolean;
  /** Resolves when the current process has ended. */
  gone(): Promise<unknown>;
};

/**
 * Postgres as a part, on a fixed port. The caller must call `start`. The code of the product creates the cluster. The command line
 * of the server is made here, and it keeps data as safe as the product's command line.
 */
export async function postgresPart(folder: string): Promise<Part & { url: string; cluster: string }> {
  const dataDir = join(folder, 'data');
  const made = await startPostgres({ dataDir, durable: true, say });
  await made.stop();
  const account = accountFor(dataDir);
  const { postgres } = await findBinaries(account, dataDir, say);
  const cluster = join(dataDir, 'postgres');
  const port = await freePort();
  const url = made.url.replace(`:${made.port}/`, `:${port}/`);
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    max_parallel_workers_per_gather: 0,
    // The rounds that put Postgres back read the log of the time since their backup.
    wal_keep_size: '512MB',
    timezone: 'UTC',
  };
  const args = [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
  const spawnServer = () =>
    spawnChild({
      command: postgres,
      args,
      logFile: join(folder, 'postgres.log'),
      signal: 'SIGINT',
      cwd: '/',
      ...account,
    });
  const answers = () => queryOnce(url, 'select 1').then(() => true);
  return { ...serverPart('postgres', spawnServer, answers), url, cluster };
}

/** Temporal as a part, on a fixed port and with its database in a file. The caller must call `start`. */
export async function temporalPart(
  folder: string,
): Promise<Part & { address: string; port: number; dbFile: string }> {
  const binary = await findTemporal({ cacheDir: defaultCacheDir(process.env), say });
  const dbFile = join(folder, 'temporal.db');
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const args = startDev({ dbFile, uiPort: null, searchAttributes: cliSearchAttributes }, port);
  const spawnServer = () => spawnChild({ command: binary, args, logFile: join(folder, 'temporal.log') });
  const answers = () =>
    withTemporal(address, async (client) => (await client.workflow.count('OrgId IS NULL')).count >= 0);
  return { ...serverPart('temporal', spawnServer, answers), address, port, dbFile };
}

/** Redis as a part, on a fixed port. If no Redis is installed, the API counts for itself, and this part does nothing. */
export async function redisPart(folder: string): Promise<Part & { port: number; isInstalled: boolean }> {
  const port = await freePort();
  const isInstalled = whyNoRedis === undefined;
  if (!isInstalled) return { ...noPart, port, isInstalled };
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const spawnServer = () =>
    spawnChild({ command: 'redis-server', args, logFile: join(folder, 'redis.log'), cwd: folder });
  return { ...serverPart('redis', spawnServer, () => accepts(port)), port, isInstalled };
}

/** Says why no Redis can run here. Undefined if one can. */
export const whyNoRedis =
  spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : 'redis-server is not installed (Debian: apt-get install redis-server)';

const noPart: Part = {
  name: 'nothing',
  start: async () => undefined,
  pid: () => undefined,
  signal: () => undefined,
  running: () => true,
  gone: async () => undefined,
};

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } finally {
    socket.destroy();
  }
}

/**
 * Starts the server, and starts it again if it ends before it answers. Right after a kill its port or its memory can still be in
 * use.
 */
function serverPart(name: string, spawnServer: () => Child, answers: () => Promise<boolean>): Part {
  let server: Child | undefined;
  return {
    name,
    async start() {
      await until(`${name} answers`, async () => {
        if (!server?.running) server = spawnServer();
        return answers();
      });
    },
    pid: () => server?.pid,
    signal(signal) {
      if (server?.running) process.kill(server.pid, signal);
    },
    running: () => server?.running ?? false,
    gone: () => server?.exited ?? Promise.resolve(),
  };
}
