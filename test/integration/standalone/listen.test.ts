import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { signatureHeader } from '#platform/crypto/signature.ts';
import { ensureListenCa } from '#worker/standalone/certificates.ts';
import { readListener, writeRunFile } from '#worker/standalone/run-file.ts';
import { becomes, newFolder, runProgram } from './support.ts';

const program = new URL('../../../worker/standalone/listen.ts', import.meta.url);
const secret = 'whsec_0123456789';

function besideRunning(): string {
  const dataDir = newFolder();
  writeRunFile(dataDir, {
    pid: process.pid,
    started_at: new Date().toISOString(),
    port: 3000,
    database_url: '',
    owner_database_url: '',
    temporal_address: '',
    public_url: 'http://localhost:3000',
    console_url: null,
  });
  return dataDir;
}

/** The default port may be in use on this machine. */
const portOf = (dataDir: string, pid: number | undefined): number | undefined =>
  readdirSync(dataDir)
    .map((name) => Number(/^listener\.(\d+)\.json$/.exec(name)?.[1]))
    .find((port) => readListener(dataDir, port)?.pid === pid);

async function listening(dataDir: string, ...args: string[]) {
  const listener = runProgram(program, args, { DATA_DIR: dataDir });
  const { pid } = listener.process;
  expect(await becomes(() => portOf(dataDir, pid) !== undefined, 10_000)).toBe(true);
  const port = Number(portOf(dataDir, pid));
  const { cert } = await ensureListenCa(dataDir);
  const dispatcher = new Agent({ connect: { ca: [cert] } });
  const deliver = async (
    host: string,
    header: string | undefined,
    body = '{"type":"verification.completed"}',
  ) => {
    const signed = header === undefined ? {} : { 'x-service-signature': header };
    const headers = { ...signed, 'x-service-event': 'verification.completed', 'x-service-delivery': 'evt_1' };
    const answer = await request(`https://${host}:${port}/`, { method: 'POST', headers, body, dispatcher });
    await answer.body.dump();
    return answer.statusCode;
  };
  const ended = async () => {
    listener.process.kill('SIGINT');
    const code = await listener.code;
    await dispatcher.close();
    return { code, printed: await listener.stdout };
  };
  return { port, deliver, ended, stdin: listener.process.stdin };
}

const now = () => Math.floor(Date.now() / 1000);
const body = Buffer.from('{"type":"verification.completed"}');

test('each delivery is shown with the verdict on its signature', async () => {
  const dataDir = besideRunning();
  const { deliver, ended } = await listening(dataDir, '--secret', secret);
  expect(await deliver('localhost', signatureHeader(secret, now(), body))).toBe(200);
  expect(await deliver('127.0.0.1', signatureHeader('whsec_other', now(), body))).toBe(200);
  expect(await deliver('127.0.0.1', signatureHeader(secret, now() - 600, body))).toBe(200);
  expect(await deliver('127.0.0.1', 'v1=nothing')).toBe(200);
  expect(await deliver('127.0.0.1', undefined)).toBe(200);
  expect(await deliver('127.0.0.1', undefined, 'x'.repeat(1024 * 1024 + 1)).catch(() => 413)).toBe(413);
  const { code, printed } = await ended();
  expect(code).toBe(0);
  expect(printed.match(/^signature .*$/gm)).toEqual([
    'signature valid',
    'signature NOT valid: it does not match the secret given here',
    'signature NOT valid: its timestamp is older than five minutes',
    'signature NOT valid: X-Service-Signature is not t=<unix>,v1=<hex>',
    'signature NOT valid: there is no X-Service-Signature header',
  ]);
  expect(printed).toContain('X-Service-Event:    verification.completed\nX-Service-Delivery: evt_1\n');
  expect(printed).toContain('{\n  "type": "verification.completed"\n}');
  expect(printed).toMatch(
    /curl -s http:\/\/localhost:3000\/v1\/webhooks .*"url":"https:\/\/localhost:\d+\/"/,
  );
});

test('a secret pasted while it runs is used from then on, and --respond sets the answer', async () => {
  const { deliver, ended, stdin } = await listening(besideRunning(), '--respond', '503');
  const header = signatureHeader(secret, now(), body);
  expect(await deliver('127.0.0.1', header)).toBe(503);
  stdin?.write(`"${secret}",\n`);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await deliver('127.0.0.1', header)).toBe(503);
  const { printed } = await ended();
  expect(printed.match(/^signature .*$/gm)).toEqual([
    'signature not checked: no secret given yet',
    'signature valid',
  ]);
});

test('when it ends its address is permitted no longer, and the key of its authority is for its owner only', async () => {
  const dataDir = besideRunning();
  const { port, ended } = await listening(dataDir);
  expect(statSync(join(dataDir, 'listen-ca/ca.key')).mode & 0o777).toBe(0o600);
  await ended();
  expect(readListener(dataDir, port)).toBeUndefined();
});

test('two receivers at once are both permitted, and the end of one leaves the other', async () => {
  const dataDir = besideRunning();
  const [one, two] = [await listening(dataDir), await listening(dataDir)];
  expect([one.port, two.port].map((port) => readListener(dataDir, port)?.port)).toEqual([one.port, two.port]);
  await two.ended();
  expect(readListener(dataDir, one.port)?.port).toBe(one.port);
  await one.ended();
});

test('when nothing runs it says what to start, and exits with 69', async () => {
  const { code, stderr } = runProgram(program, [], { DATA_DIR: newFolder() });
  expect(await code).toBe(69);
  expect(await stderr).toMatch(/^Nothing runs on the data directory .* Start it first: npm start\n$/);
});

test.each([[['--port', 'x']], [['--respond', '99']], [['--secret', 'abc']], [['--colour']], [['loose']]])(
  'arguments it does not understand (%j) end it with one line and exit code 64',
  async (args) => {
    const { code, stderr } = runProgram(program, args, { DATA_DIR: newFolder() });
    expect(await code).toBe(64);
    expect((await stderr).trim().split('\n')).toHaveLength(1);
  },
);
