import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '#contract/time.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { freePort } from '#platform/free-port.ts';
import { type Child, spawnChild } from '../child-process.ts';
import { cannotCreate, prepareDataDir } from '../data-dir.ts';
import { lockDataDir } from '../lock.ts';
import { faultIn, sizeOf, trimLog, writtenSince } from '../server-log.ts';
import { type Account, findBinaries } from './binaries.ts';
import { accountFor, ensureCluster, homeOfCluster, takeOver } from './cluster.ts';

export type Postgres = {
  url: string;
  port: number;
  pid: number;
  exited: Promise<number | string>;
  stop(): Promise<void>;
};

export type PostgresOptions = {
  dataDir: string;
  /** False only in tests. Postgres is then faster, but a crash of the machine may lose all data. */
  durable: boolean;
  say: (line: string) => void;
  /** True if the caller already holds the lock of the data directory. */
  locked?: boolean;
};

const startAttempts = 5;
const recoveryMsMax = 10 * minuteMs;
const stopGraceMs = 30_000;

/** Starts Postgres in the data directory. The first start creates an empty database `verification`. */
export async function startPostgres({
  dataDir,
  durable,
  say,
  locked = false,
}: PostgresOptions): Promise<Postgres> {
  const realDir = prepareDataDir(dataDir);
  const releases = locked ? [] : [await lockDataDir(dataDir)];
  const release = () => {
    for (const undo of releases.splice(0)) undo();
  };
  try {
    const account = accountFor(realDir);
    const binaries = await findBinaries(account, realDir, say);
    const home = homeOfCluster(realDir, account, say);
    // A copy of a data directory links to the same cluster, so the folder of the cluster needs its own lock.
    if (home !== realDir) releases.push(await lockDataDir(home));
    const logFile = join(realDir, 'postgres.log');
    trimLog(logFile);
    const { cluster, password } = await ensureCluster({
      dataDir: realDir,
      home,
      account,
      binaries,
      logFile,
      durable,
      say,
    });
    await takeOver(cluster, say);
    const { server, port } = await serve({
      postgres: binaries.postgres,
      cluster,
      account,
      logFile,
      durable,
      say,
    });
    void server.exited.then(release);
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/verification`,
      port,
      pid: server.pid,
      exited: server.exited,
      stop: () => server.stop('SIGINT', stopGraceMs).then(release),
    };
  } catch (error) {
    release();
    throw cannotCreate(dataDir, 'DATA_DIR', error);
  }
}

type Serving = {
  postgres: string;
  cluster: string;
  account: Account;
  logFile: string;
  durable: boolean;
  say: (line: string) => void;
};

/** Starts the server on a free port. If another process takes that port first, tries another port. */
async function serve(serving: Serving): Promise<{ server: Child; port: number }> {
  const { postgres, cluster, account, logFile, durable } = serving;
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const logOffset = sizeOf(logFile);
    const args = ['-D', cluster, ...settings(port, durable)];
    const options = { logFile, signal: 'SIGINT', cwd: '/', ...account } as const;
    const server = spawnChild({ command: postgres, args, ...options });
    if (await isReady(server, port, serving)) return { server, port };
    const portTaken = /could not bind|could not create any TCP\/IP sockets/.test(
      writtenSince(logFile, logOffset),
    );
    if (portTaken && attempt < startAttempts) continue;
    throw new StartFault(
      `Postgres did not start (${faultIn(logFile, logOffset) ?? 'no reason given'}). Its log: ${logFile}`,
      exitCodes.unavailable,
    );
  }
}

/** Waits for the status `ready` in postmaster.pid, as pg_ctl does. Returns false if the server ends or takes too long. */
async function isReady(server: Child, port: number, { cluster, say }: Serving): Promise<boolean> {
  const started = Date.now();
  let saidSo = false;
  while (server.running && Date.now() - started < recoveryMsMax) {
    const [pid, , , listening, , , , status] = pidFileOf(cluster);
    if (Number(pid) === server.pid && Number(listening) === port && status?.trim() === 'ready') return true;
    if (!saidSo && Date.now() - started > 2000) {
      say('Postgres is starting; after an interrupted stop it first replays its log');
      saidSo = true;
    }
    await pause(20);
  }
  await server.stop('SIGQUIT', stopGraceMs);
  return false;
}

function pidFileOf(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Settings are given on the command line and not in a file, so that a new release also changes existing clusters. */
function settings(port: number, durable: boolean): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '128MB',
    max_wal_size: '512MB',
    // Parallel queries are off. They need shared memory, of which a container may have too little.
    max_parallel_workers_per_gather: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...silence,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Keeps personal data out of the log of the server. Logged errors, statements and parameters could quote rows. */
const silence = {
  log_destination: 'stderr',
  logging_collector: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_statement: 'none',
  log_min_duration_statement: -1,
  log_min_duration_sample: -1,
  log_transaction_sample_rate: 0,
  log_autovacuum_min_duration: -1,
  log_parameter_max_length: 0,
  log_parameter_max_length_on_error: 0,
  log_lock_waits: 'off',
  log_recovery_conflict_waits: 'off',
  log_duration: 'off',
  log_temp_files: -1,
  log_checkpoints: 'off',
  log_connections: 'off',
  log_disconnections: 'off',
};
