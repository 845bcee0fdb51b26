import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import { randomToken } from '#platform/crypto/random.ts';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { spawnChild } from '../child-process.ts';
import { commandOf, identityOf, isTaken } from '../processes.ts';
import { faultIn, sizeOf } from '../server-log.ts';
import { systemEnv } from '../system-env.ts';
import { type Account, type Binaries, canEnter, makePassable, sharedHome } from './binaries.ts';

const draftPrefix = 'postgres.making-';

/**
 * If our process is root, Postgres runs as the owner of the existing cluster, or as a system user. Postgres refuses to run as root.
 */
export function accountFor(dataDir: string): Account {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf('-u', name), gid: idOf('-g', name) };
    } catch {}
  }
  throw new StartFault(
    'Postgres does not run as root, and this machine has neither a user `postgres` nor `nobody`: start as an ordinary user.',
    exitCodes.cannotCreate,
  );
}

const idOf = (flag: '-u' | '-g', name: string) =>
  Number(execFileSync('id', [flag, name], { encoding: 'utf8', env: systemEnv(), stdio: 'pipe' }));

/**
 * Returns the folder that contains the cluster, which is normally the data directory. If the account cannot enter the data
 * directory, the cluster is in a folder of `sharedHome`. This happens, for example, below a home directory of mode 0700. A link in
 * the data directory then points to the cluster.
 */
export function homeOfCluster(dataDir: string, account: Account, say: (line: string) => void): string {
  const link = join(dataDir, 'postgres');
  if (existsSync(link)) return dirname(realpathSync(link));
  rmSync(link, { force: true });
  if (canEnter(account, dataDir)) return dataDir;
  const home = join(sharedHome, sha256Hex(dataDir).slice(0, 16));
  setAside(home, 'left from a data directory that was deleted', say);
  makePassable(home);
  return home;
}

type Making = {
  dataDir: string;
  home: string;
  account: Account;
  binaries: Binaries;
  logFile: string;
  durable: boolean;
  say: (line: string) => void;
};

/**
 * Creates the cluster if it is missing. The cluster gets its final name only when it is complete, so a start may be killed at any
 * moment.
 */
export async function ensureCluster(making: Making): Promise<{ cluster: string; password: string }> {
  const { dataDir, home, say } = making;
  const cluster = join(home, 'postgres');
  removeDrafts(home);
  const complete = existsSync(join(cluster, 'global/pg_control'));
  const password = ensurePassword(dataDir, complete);
  if (!complete) {
    setAside(cluster, 'not a complete database cluster', say);
    say('Creating the database cluster');
    await makeCluster(making, cluster, password);
    // If an earlier start was killed, its initdb may have continued to write to its draft until now.
    removeDrafts(home);
  }
  if (home !== dataDir && !existsSync(join(dataDir, 'postgres')))
    symlinkSync(cluster, join(dataDir, 'postgres'));
  return { cluster, password };
}

async function makeCluster(making: Making, cluster: string, password: string): Promise<void> {
  const { home, account, binaries, durable } = making;
  const draft = mkdtempSync(join(home, draftPrefix));
  try {
    const target = join(draft, 'cluster');
    const passwordFile = join(draft, 'password');
    writeFileSync(passwordFile, password, { mode: 0o600 });
    if (account) for (const path of [draft, passwordFile]) chownSync(path, account.uid, account.gid);
    await run(making, binaries.initdb, [
      `--pgdata=${target}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ]);
    const createDatabase =
      'echo "create database verification" | "$0" --single -D "$1" -c exit_on_error=on -c fsync="$2" postgres';
    await run(making, '/bin/sh', ['-c', createDatabase, binaries.postgres, target, durable ? 'on' : 'off']);
    renameSync(target, cluster);
  } finally {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function run({ account, logFile }: Making, command: string, args: string[]): Promise<void> {
  const offset = sizeOf(logFile);
  const tool = spawnChild({ command, args, logFile, cwd: '/', ...account });
  if ((await tool.exited) === 0) return;
  const reason = faultIn(logFile, offset) ?? 'no reason given';
  const advice = /No space left on device/.test(reason) ? 'free some space, or ' : '';
  throw new StartFault(
    `The database cluster could not be created (${reason}): ${advice}choose another DATA_DIR, or set DATABASE_URL to a ` +
      `Postgres of yours. Its log: ${logFile}`,
    exitCodes.cannotCreate,
  );
}

function ensurePassword(dataDir: string, clusterExists: boolean): string {
  const file = join(dataDir, 'postgres-password');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  if (clusterExists)
    throw new StartFault(
      `${file} is missing, and without it the databases beside it cannot be opened: put it back, or choose another DATA_DIR.`,
      exitCodes.cannotCreate,
    );
  const draft = `${file}.draft`;
  writeFileSync(draft, `${randomToken(24, 'hex')}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return readFileSync(file, 'utf8').trim();
}

function removeDrafts(home: string): void {
  for (const name of readdirSync(home))
    if (name.startsWith(draftPrefix))
      rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
}

function setAside(path: string, why: string, say: (line: string) => void): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) return;
  const aside = `${path}.${new Date().toISOString().replaceAll(/[^0-9]/g, '')}`;
  renameSync(path, aside);
  say(`Moved ${path} (${why}) to ${aside}`);
}

/**
 * Stops a Postgres that still runs on this cluster, and ensures that an old postmaster.pid does not prevent a start. The caller
 * holds the lock of the data directory, so the parent process of such a Postgres has ended.
 */
export async function takeOver(cluster: string, say: (line: string) => void): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid');
  if (!existsSync(pidFile)) return;
  const text = readFileSync(pidFile, 'utf8');
  const pid = Number(/^(\d{1,9})\n/.exec(text)?.[1]);
  if (!(pid > 0)) return rmSync(pidFile);
  if (serves(pid, cluster)) {
    say(`Stopping a Postgres that an earlier instance left behind (pid ${pid})`);
    return stopOrphan(pid, cluster);
  }
  // Another process has this pid now. Only the pid is replaced, because Postgres needs the rest of the file to find orphaned
  // backends.
  if (isTaken(pid)) writeFileSync(pidFile, text.replace(/^\d+/, String(unusedPid)));
}

/** This number is larger than any pid of a system. */
const unusedPid = 2 ** 31 - 2;

function serves(pid: number, cluster: string): boolean {
  if (identityOf(pid) === undefined) return false;
  const command = commandOf(pid);
  return command.includes('postgres') && command.includes(cluster);
}

async function stopOrphan(pid: number, cluster: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal);
    for (const deadline = Date.now() + 10_000; Date.now() < deadline; await pause(50))
      if (!serves(pid, cluster)) return;
  }
  throw new StartFault(
    `A Postgres that an earlier instance left behind does not stop: end the process ${pid} first.`,
  );
}
