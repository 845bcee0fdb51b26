import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { processorMs } from '#test/bench/parts/processes.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { message } from '#test/support/people/agent.ts';
import { person } from '#test/support/people/person.ts';
import {
  answersIn,
  expectDocumentedRefusal,
  head,
  openConnection,
  startApiProgram,
  webhookBody,
} from './transport.ts';

/** Bodies that arrive in tiny pieces, or so slowly that they only hold a connection. */

const harness = await startHarness();
const api = await startApiProgram(harness, { TRUST_PROXY: '127.0.0.1/32' });
const { key } = await harness.key();
const { key: liveKey } = await harness.key({ environment: 'live' });

const chunked = (target: string, lines: string[] = []) =>
  head({ method: 'POST', target, headers: ['Transfer-Encoding: chunked', ...lines] });
const withKey = [`Authorization: Bearer ${key}`, 'Content-Type: application/json'];
const oneByte = (count: number) => '1\r\nx\r\n'.repeat(count);

/** Sends these bytes, and then more of the body until the server ends or breaks the connection. */
async function sendUntilEnded(first: string, more: string, everyMs: number) {
  const connection = openConnection(api.port);
  await connection.connected;
  connection.send(first);
  const startedAt = performance.now();
  for (; !connection.hasEnded() && !connection.socket.destroyed; await pause(everyMs)) connection.send(more);
  connection.socket.destroy();
  return { answers: answersIn(connection.received()), tookMs: performance.now() - startedAt };
}

async function pictureTarget(): Promise<string> {
  const body = { method: 'document_only' };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key: liveKey, body });
  const user = person(harness, json.verify_url);
  await user.start();
  return `${user.path}/picture?kind=passport_page`;
}

describe('a body in chunks of one byte is refused before it has arrived', () => {
  test.each([
    ['of REST', '/v1/webhooks', withKey],
    ['of REST without a key', '/v1/webhooks', ['Content-Type: application/json']],
    ['of the agent interface', '/mcp', withKey],
    ['of the agent interface without a key', '/mcp', ['Content-Type: application/json']],
    ['of a path that does not exist', '/nowhere', []],
  ])('%s', async (_, target, lines) => {
    const { answers } = await sendUntilEnded(chunked(target, lines) + oneByte(1_000), oneByte(10), 50);
    expect(answers).toHaveLength(1);
    expect([400, 401, 404]).toContain(answers[0]?.status);
  });

  test('of a picture', async () => {
    const lines = ['Content-Type: multipart/form-data; boundary=x'];
    const first = chunked(await pictureTarget(), lines) + oneByte(1_000);
    const { answers } = await sendUntilEnded(first, oneByte(10), 50);
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test('a hundred of them at once hardly need memory', async (ctx) => {
    const before = api.residentBytes();
    if (before === undefined) return ctx.skip('there is no /proc to read the memory from');
    const senders = Array.from({ length: 100 }, () =>
      sendUntilEnded(chunked('/mcp') + oneByte(65_536), '', 50),
    );
    for (const { answers } of await Promise.all(senders)) expect(answers.length).toBeLessThanOrEqual(1);
    expect((api.residentBytes() ?? 0) - before).toBeLessThan(200 * 1024 * 1024);
  });
});

test('a whole body in tiny chunks at once gets one answer, and nothing is done', async () => {
  const count = async () => (await call(harness, 'GET', '/v1/webhooks', { key })).json.data.length;
  const before = await count();
  const body = [...webhookBody.padEnd(500)].map((letter) => `1\r\n${letter}\r\n`).join('');
  const connection = openConnection(api.port);
  await connection.connected;
  connection.send(`${chunked('/v1/webhooks', withKey)}${body}0\r\n\r\n`);
  await expect.poll(() => connection.hasEnded()).toBe(true);
  expect(answersIn(connection.received()).map(({ status }) => status)).toEqual([400]);
  expect(await count()).toBe(before);
});

test('chunks that go on after the answer are not read', async (ctx) => {
  const before = processorMs(api.pid);
  if (Number.isNaN(before)) return ctx.skip('there is no /proc to read the processor time from');
  const connection = openConnection(api.port);
  await connection.connected;
  connection.send(chunked('/nowhere'));
  await expect.poll(() => connection.received()).toContain('404');
  const flood = oneByte(10_000);
  for (let i = 0; i < 400; i++) connection.send(flood);
  await connection.closed;
  // If the API read these chunks until the connection ends, it would use two seconds of processor time.
  expect(processorMs(api.pid) - before).toBeLessThan(1_000);
});

test('a body in many pieces of a usual size is taken', async () => {
  const padded = webhookBody.padEnd(60_000);
  const size = 300;
  const pieces = Array.from({ length: padded.length / size }, (_, i) =>
    padded.slice(i * size, (i + 1) * size),
  );
  const body = pieces.map((piece) => `${size.toString(16)}\r\n${piece}\r\n`).join('');
  const connection = openConnection(api.port);
  await connection.connected;
  connection.send(`${chunked('/v1/webhooks', [...withKey, 'Connection: close'])}${body}0\r\n\r\n`);
  await expect.poll(() => connection.hasEnded()).toBe(true);
  expect(answersIn(connection.received()).map(({ status }) => status)).toEqual([201]);
});

test.each([
  ['with a declared length', ['Content-Length: 60000'], ' '],
  ['in chunks', ['Transfer-Encoding: chunked'], `${'20\r\n'.padEnd(36)}\r\n`],
])('a body %s that arrives too slowly is 408 long before its time is over', async (_, lines, piece) => {
  const first = head({ method: 'POST', target: '/v1/webhooks', headers: [...withKey, ...lines] });
  const { answers, tookMs } = await sendUntilEnded(first, piece, 100);
  expect(expectDocumentedRefusal(answers[0], 408)).toBe('request_timeout');
  // The limit for a whole request is 30 s.
  expect(tookMs).toBeLessThan(25_000);
});

test('a refusal of the agent interface names the message if the body is short, and does not wait for a long one', async () => {
  const short = JSON.stringify(message('ping'));
  const post = (length: number) =>
    head({
      method: 'POST',
      target: '/mcp',
      headers: [
        'X-Forwarded-For: 198.51.100.9',
        'Content-Type: application/json',
        `Content-Length: ${length}`,
        'Connection: close',
      ],
    });
  for (const [length, id] of [
    [short.length, 7],
    [60_000, null],
  ] as const) {
    const connection = openConnection(api.port);
    await connection.connected;
    connection.send(post(length) + short);
    await expect.poll(() => connection.received()).toContain('missing_api_key');
    expect(answersIn(connection.received())).toMatchObject([{ status: 401, json: { id } }]);
    connection.socket.destroy();
  }
});
