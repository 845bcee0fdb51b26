import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '#test/supply-chain/lockfile.ts';

/** A registry that somebody took over: it gives other bytes than the lockfile names, and says that these are right. */

let folder: string;
let registry: Server;
let given: Buffer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'changed-package-'));
  registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(given);
    const dist = { tarball: `${urlOfRegistry()}planted.tgz`, integrity: hashOf(given) };
    const version = { name: 'planted', version: '1.0.0', dist };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ name: 'planted', versions: { '1.0.0': version } }));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  registry.closeAllConnections();
  registry.close();
  rmSync(folder, { recursive: true });
});

const urlOfRegistry = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
const hashOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
const write = (file: string, content: object) => writeFileSync(join(folder, file), JSON.stringify(content));

async function npm(...args: string[]) {
  const own = { npm_config_cache: join(folder, 'cache'), npm_config_registry: urlOfRegistry() };
  const foreign = /^(npm_config_|https?_proxy$)/i;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  const child = spawn('npm', args, {
    cwd: folder,
    env: { ...env, ...own },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { stderr: String(await buffer(child.stderr)), status: await ended };
}

/** Packs a package, and locks a project to its bytes as our lockfile does, without the place that it came from. */
async function lockPackage(): Promise<void> {
  mkdirSync(join(folder, 'planted'));
  write('planted/package.json', { name: 'planted', version: '1.0.0' });
  expect(await npm('pack', './planted')).toMatchObject({ status: 0 });
  given = readFileSync(join(folder, 'planted-1.0.0.tgz'));
  const project = { name: 'project', version: '1.0.0', dependencies: { planted: '1.0.0' } };
  write('package.json', { ...project, allowScripts: {} });
  const planted = { version: '1.0.0', integrity: hashOf(given) };
  write('package-lock.json', {
    lockfileVersion: 3,
    packages: { '': project, 'node_modules/planted': planted },
  });
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));
}
const isInstalled = () => existsSync(join(folder, 'node_modules/planted/package.json'));

test('the bytes that the lockfile names are installed', async () => {
  await lockPackage();
  expect(await npm('ci', '--no-audit')).toMatchObject({ status: 0 });
  expect(isInstalled()).toBe(true);
}, 120_000);

test('one other byte is refused with a line that says so, and nothing is installed', async () => {
  await lockPackage();
  // The last byte of the time in the header of gzip: what is inside stays the same.
  given.writeUInt8(given.readUInt8(7) ^ 1, 7);
  const { status, stderr } = await npm('ci', '--no-audit');
  expect(stderr).toContain('EINTEGRITY');
  expect(status).not.toBe(0);
  expect(isInstalled()).toBe(false);
}, 120_000);
