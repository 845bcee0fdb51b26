import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call } from '#test/support/harness.ts';
import { envOf, type Instance, newInstance, start, startAtTerminal } from './instance.ts';
import { ended, newFolder, runProgram } from './support.ts';

const program = (path: string) => new URL(`../../../worker/${path}`, import.meta.url);
/**
 * Returns the command lines that name the data directory of the instance. They come from /proc if it exists, since `ps` may be
 * missing.
 */
function processesOf({ dataDir }: Instance): string[] {
  const lines = existsSync('/proc/self/cmdline')
    ? readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(commandLine)
    : execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(dataDir));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

const keys = (instance: Instance, ...args: string[]) => command('keys', instance, ...args);
const command = async (name: string, instance: Instance, ...args: string[]) => {
  const { exit: code, ...wrote } = await ended(
    runProgram(program(`commands/${name}.ts`), args, envOf(instance)),
  );
  return { code, ...wrote };
};

test('the first start makes a key and leaves it private; the second finds data, keys and open verifications; SIGINT leaves nothing', async () => {
  const instance = await newInstance();
  const first = await start(instance);
  const keyFile = join(instance.dataDir, 'demo-key');
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(statSync(instance.dataDir).mode & 0o777).toBe(0o711);
  const key = readFileSync(keyFile, 'utf8').trim();
  expect(key).toMatch(/^svc_test_[0-9A-Za-z]{39}$/);
  expect(first.output()).toContain(keyFile);
  expect(first.output()).not.toContain(key);
  const liveFile = join(instance.dataDir, 'demo-live-key');
  expect(statSync(liveFile).mode & 0o777).toBe(0o600);
  const liveKey = readFileSync(liveFile, 'utf8').trim();
  expect(liveKey).toMatch(/^svc_live_[0-9A-Za-z]{39}$/);
  expect((await call(first, 'GET', '/v1/verifications', { key: liveKey })).status).toBe(200);

  const console = `http://localhost:${instance.consolePort}`;
  const linkFile = join(instance.dataDir, 'demo-owner-link');
  expect(statSync(linkFile).mode & 0o777).toBe(0o600);
  const link = readFileSync(linkFile, 'utf8').trim();
  expect(link.startsWith(`${console}/link/`)).toBe(true);
  expect(first.output()).toContain(linkFile);
  for (const secret of [liveKey, link]) expect(first.output()).not.toContain(secret);
  const page = await fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('owner@demo.example')]);
  const redirect = await fetch(`${first.url}/console`, { redirect: 'manual' });
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, `${console}/`]);
  const invited = await command(
    'console-invite',
    instance,
    '--org',
    'Demo',
    '--email',
    'a@b.example',
    '--role',
    'reviewer',
  );
  expect([invited.code, invited.stdout]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/localhost:\d+\/link\/[\w-]{43}\n$/),
  ]);
  expect((await fetch(invited.stdout.trim())).status).toBe(200);

  const open = await call(first, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  expect(open.json.status).toBe('pending');
  first.signal('SIGINT');
  expect(await first.exited).toBe(0);
  expect(processesOf(instance)).toEqual([]);
  expect(existsSync(join(instance.dataDir, 'run.json'))).toBe(false);

  const second = await start(instance);
  expect(second.output()).toContain('Found the data of an earlier start');
  expect(second.output()).toContain('npm run --silent keys -- create');
  expect(second.output()).toContain('npm run --silent console:invite -- --org Demo');
  expect((await fetch(link)).status).toBe(200);
  const completed = await call(second, 'POST', `/v1/verifications/${open.json.id}/complete`, { key });
  expect(completed.json.status).toBe('completed');
  second.signal('SIGTERM');
  expect(await second.exited).toBe(0);
  expect(processesOf(instance)).toEqual([]);
}, 120_000);

const hasTerminal = spawnSync('script', ['--version']).error === undefined;

test.skipIf(!hasTerminal)(
  'at a terminal the first start prints both keys and the link of an owner, and leaves none of them in a file; Ctrl-C stops everything',
  async () => {
    const instance = await newInstance();
    const first = await startAtTerminal(instance);
    const printed = (pattern: RegExp) => pattern.exec(first.output())?.[1] ?? '';
    const sandboxKey = printed(/sandbox +(svc_test_[0-9A-Za-z]{39})\r/);
    const liveKey = printed(/live +(svc_live_[0-9A-Za-z]{39})\r/);
    const link = printed(/(http:\/\/localhost:\d+\/link\/[\w-]{43})\r/);
    expect(first.output()).toContain(`Authorization: Bearer ${sandboxKey}"`);
    const create = (key: string) =>
      call(first, 'POST', '/v1/verifications', { key, body: { reference: 'first try' } });
    for (const [key, status] of [
      [sandboxKey, 'completed'],
      [liveKey, 'pending'],
    ] as const) {
      const { json } = await create(key);
      expect([key.slice(0, 9), json.status]).toEqual([key.slice(0, 9), status]);
    }
    const page = await fetch(link);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('owner@demo.example')]);
    for (const name of ['demo-key', 'demo-live-key', 'demo-owner-link'])
      expect([name, existsSync(join(instance.dataDir, name))]).toEqual([name, false]);

    first.type('\x03');
    expect(await first.exited).toBe(0);
    expect(processesOf(instance)).toEqual([]);
    const second = await startAtTerminal(instance);
    expect(second.output()).toContain('Found the data of an earlier start');
    for (const secret of [sandboxKey, liveKey, link]) expect(second.output()).not.toContain(secret);
    second.type('\x03');
    expect(await second.exited).toBe(0);
  },
  120_000,
);

test('the keys of the first start expire after 30 days, and a later start then removes their files', async () => {
  const instance = await newInstance();
  const first = await start(instance);
  const listed: { name: string; environment: string; created_at: string; expires_at: string }[] = JSON.parse(
    (await keys(instance, 'list', '--org', 'Demo', '--json')).stdout,
  );
  expect(listed.map(({ environment }) => environment).sort()).toEqual(['live', 'sandbox']);
  for (const { name, created_at, expires_at } of listed) {
    expect(name).toBe('made at the first start');
    const days = (Date.parse(expires_at) - Date.parse(created_at)) / 86_400_000;
    expect(days).toBeCloseTo(30, 2);
    expect(first.output()).toContain(`They work until ${expires_at.slice(0, 10)}:`);
  }
  first.signal('SIGINT');
  await first.exited;

  const file = (name: string) => join(instance.dataDir, name);
  const monthAgo = Date.now() / 1_000 - 30 * 86_400;
  for (const name of ['demo-key', 'demo-owner-link']) utimesSync(file(name), monthAgo, monthAgo);
  utimesSync(file('demo-live-key'), monthAgo + 3_600, monthAgo + 3_600);
  const second = await start(instance);
  const names = ['demo-key', 'demo-live-key', 'demo-owner-link'];
  expect(names.filter((name) => existsSync(file(name)))).toEqual(['demo-live-key']);
  second.signal('SIGINT');
  expect(await second.exited).toBe(0);
}, 120_000);

test('keys are created, listed and revoked while the product runs, and a key goes to standard output alone', async () => {
  covers('5/key-visible-once');
  const instance = await newInstance();
  const product = await start(instance);
  const made = await keys(
    instance,
    ...['create', '--org', 'Acme', '--environment', 'live', '--scopes', 'verify:read', '--rate-limit', '7'],
    ...['--expires-at', '2099-01-01T00:00:00Z', '--name', 'back office', '--json'],
  );
  expect(made.code).toBe(0);
  expect(made.stderr).toContain('Acme is a new organisation.');
  const created = JSON.parse(made.stdout);
  expect(created).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    key: expect.stringMatching(/^svc_live_[0-9A-Za-z]{39}$/),
    organisation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    environment: 'live',
    scopes: ['verify:read'],
    rate_limit: 7,
    expires_at: '2099-01-01T00:00:00.000Z',
  });
  expect(made.stderr).not.toContain(created.key);

  const plain = await keys(instance, 'create', '--org', 'Acme', '--environment', 'sandbox');
  expect(plain.stderr).not.toContain('new organisation');
  const key = plain.stdout.trim();
  expect(key).toMatch(/^svc_test_[0-9A-Za-z]{39}$/);
  expect((await call(product, 'POST', '/v1/verifications', { key })).status).toBe(201);

  const listed = JSON.parse((await keys(instance, 'list', '--org', 'Acme', '--json')).stdout);
  expect(listed).toHaveLength(2);
  for (const shownBefore of [key, created.key]) expect(JSON.stringify(listed)).not.toContain(shownBefore);
  const { id } = listed.find(({ environment }: { environment: string }) => environment === 'sandbox');

  expect((await keys(instance, 'revoke', id)).code).toBe(0);
  const codeNow = async () => (await call(product, 'GET', '/v1/verifications/x', { key })).json.error.code;
  await expect.poll(codeNow, { timeout: 15_000 }).toBe('invalid_api_key');
  expect((await keys(instance, 'revoke', id)).code).toBe(69);

  const wrong = await keys(instance, 'create', '--org', 'Acme', '--environment', 'production');
  expect(wrong.code).toBe(64);
  expect(wrong.stderr).toContain('--environment is not valid.');
  product.signal('SIGKILL');
}, 120_000);

test('after kill -9 nothing survives, and the next start goes on with everything', async () => {
  const instance = await newInstance();
  const first = await start(instance);
  const key = readFileSync(join(instance.dataDir, 'demo-key'), 'utf8').trim();
  const open = await call(first, 'POST', '/v1/verifications', {
    key,
    body: { sandbox: { auto_complete: false } },
  });
  first.signal('SIGKILL');
  await first.exited;
  await expect.poll(() => processesOf(instance), { timeout: 20_000 }).toEqual([]);

  const second = await start(instance);
  const completed = await call(second, 'POST', `/v1/verifications/${open.json.id}/complete`, { key });
  expect(completed.json.status).toBe('completed');
  second.signal('SIGINT');
  expect(await second.exited).toBe(0);
}, 120_000);

const failedStart = async (env: Record<string, string>) => {
  const { exit: code, stdout, stderr } = await ended(runProgram(program('standalone/main.ts'), [], env));
  return { code, stdout, lines: stderr.trimEnd().split('\n') };
};

test('a taken port ends the start with one plain line and code 69', async () => {
  const instance = await newInstance();
  const other = createServer().listen(instance.port, '127.0.0.1');
  await once(other, 'listening');
  const { code, lines } = await failedStart(envOf(instance));
  expect(code).toBe(69);
  expect(lines).toEqual([expect.stringMatching(/^Port \d+ .*in use.*PORT/)]);
  expect(processesOf(instance)).toEqual([]);
  other.close();
});

test('a data directory that cannot be used ends the start with one plain line and code 73', async () => {
  const instance = await newInstance();
  writeFileSync(instance.dataDir, 'a file');
  const { code, lines } = await failedStart(envOf(instance));
  expect(code).toBe(73);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('DATA_DIR');
});

test('each malformed variable is one line, its value is not repeated, and the code is 78', async () => {
  const { code, lines } = await failedStart({
    PORT: 'seven',
    SECRETS_KEY: 'geheim',
    DATABASE_URL: 'mysql://x:geheim@y/z',
  });
  expect(code).toBe(78);
  expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(['DATABASE_URL', 'PORT', 'SECRETS_KEY']);
  expect(lines.join()).not.toMatch(/geheim|seven/);
});

test('no Temporal server to be found ends the start with what to do and code 69, and stops what was started', async () => {
  const instance = await newInstance();
  const [cacheDir, bareTools] = [newFolder(), newFolder()];
  for (const tool of ['id', 'ps']) symlinkSync(`/usr/bin/${tool}`, join(bareTools, tool));
  const { code, lines } = await failedStart({
    ...envOf(instance),
    CACHE_DIR: cacheDir,
    PATH: bareTools,
    HTTPS_PROXY: 'http://127.0.0.1:1',
    https_proxy: 'http://127.0.0.1:1',
  });
  expect(code).toBe(69);
  expect(lines.join('\n')).toContain('TEMPORAL_ADDRESS');
  expect(lines.join('\n')).not.toMatch(/^\s+at /m);
  await expect.poll(() => processesOf(instance), { timeout: 20_000 }).toEqual([]);
}, 90_000);
