/**
 * Tests the agent interface with programs by other authors: the official conformance runner, three client libraries and the command
 * line of the inspector. The product starts as a user starts it, on its own ports and in its own folder. `npm run test:interop`
 * runs this.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const here = import.meta.dirname;
const root = join(here, '../..');
const run = promisify(execFile);
const program = (file, args, env = {}) =>
  run(process.execPath, [join(here, file), ...args], { cwd: here, env: { ...process.env, ...env } });

const names = [
  'health',
  'start_verification',
  'get_verification',
  'list_verifications',
  'complete_verification',
  'create_webhook',
  'list_webhooks',
];

let folder;
let product;
let proxy;
let url;
let key;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'interop-'));
  // If this runs as root, Postgres runs as another user, which must be able to enter this folder.
  await chmod(folder, 0o711);
  const [port, uiPort] = [await freePort(), await freePort()];
  url = `http://localhost:${port}/mcp`;
  proxy = await startProxy();
  const env = {
    ...process.env,
    PORT: String(port),
    TEMPORAL_UI_PORT: String(uiPort),
    METRICS_PORT: 'off',
    CONSOLE_PORT: 'off',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'error',
    MCP_ALLOWED_ORIGINS: `http://localhost:${proxy.address().port}`,
  };
  const inRoot = { cwd: root, env };
  product = spawn(process.execPath, ['worker/standalone/main.ts'], { ...inRoot, stdio: 'ignore' });
  await untilReady(`http://localhost:${port}/ready`);
  const create = [
    'worker/commands/keys.ts',
    'create',
    '--org',
    'Interop',
    '--environment',
    'sandbox',
    '--json',
  ];
  const { stdout } = await run(process.execPath, [...create, '--rate-limit', '10000'], inRoot);
  key = JSON.parse(stdout).key;
});

after(async () => {
  proxy?.close();
  if (product?.exitCode === null) {
    product.kill('SIGTERM');
    await once(product, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

async function untilReady(address) {
  for (let tries = 0; tries < 600; tries++) {
    if (product.exitCode !== null) throw new Error('the product did not start');
    const ready = await fetch(address).then(
      ({ ok }) => ok,
      () => false,
    );
    if (ready) return;
    await pause(200);
  }
  throw new Error('the product was not ready in time');
}

/** The conformance runner cannot send a key, so this proxy in front of the product adds one. */
async function startProxy() {
  const server = createServer((incoming, outgoing) => {
    const { host: _, ...headers } = incoming.headers;
    const onward = request(url, {
      method: incoming.method,
      headers: { ...headers, authorization: `Bearer ${key}` },
    });
    onward.on('response', (response) => {
      outgoing.writeHead(response.statusCode, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const conformance = (...args) =>
  program('node_modules/@modelcontextprotocol/conformance/dist/index.js', [
    'server',
    ...['--url', `http://localhost:${proxy.address().port}/mcp`, '--output-dir', join(folder, 'results')],
    ...args,
  ]);

test('the conformance runner finds what a server of tools cannot but fail, and nothing else', async () => {
  const { stdout } = await conformance(
    ...['--suite', 'all', '--spec-version', '2025-06-18'],
    ...['--expected-failures', 'mcp-expected-failures.yml'],
  );
  for (const scenario of ['server-initialize', 'ping', 'tools-list'])
    assert.match(stdout, new RegExp(`✓ ${scenario}: [1-9]\\d* passed, 0 failed`));
});

test('pages of listed origins get through and others do not, which the runner checks for a later version', async () => {
  await conformance('--scenario', 'dns-rebinding-protection');
});

for (const client of ['sdk-1', 'sdk-1-doubled', 'sdk-2', 'sdk-2-doubled', 'sdk-2-auto', 'ai-sdk'])
  test(`client ${client} makes the round`, async () => {
    const { stdout } = await program('mcp-client.mjs', [client, url], { KEY: key });
    const { tools, started, completed, found, listed, webhooks, refused } = JSON.parse(stdout);
    assert.deepEqual(tools, names);
    const { id, status, verify_url } = started.structuredContent;
    assert.equal(status, 'pending');
    assert.match(verify_url, /^http.*\/verify\//);
    assert.deepEqual(completed.structuredContent, found.structuredContent);
    assert.deepEqual(JSON.parse(found.content[0].text), found.structuredContent);
    assert.equal(found.structuredContent.verdict.outcome, 'review');
    assert.equal(listed.structuredContent.data[0].id, id);
    assert.deepEqual(webhooks.structuredContent.data, []);
    assert.equal(refused.isError, true);
    assert.equal(refused.structuredContent.error.code, 'already_completed');
  });

test("the inspector's command line lists the tools and calls one", async () => {
  const inspect = async (...args) => {
    const { stdout } = await program('node_modules/.bin/mcp-inspector', [
      ...['--cli', url, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
      ...args,
    ]);
    return JSON.parse(stdout);
  };
  const { tools } = await inspect('--method', 'tools/list');
  assert.deepEqual(
    tools.map(({ name }) => name),
    names,
  );
  const { structuredContent } = await inspect('--method', 'tools/call', '--tool-name', 'health');
  assert.equal(structuredContent.environment, 'sandbox');
});
