import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import {
  answersIn,
  exchange,
  expectDocumentedRefusal,
  head,
  openConnection,
  webhookBody,
} from './transport.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();
/** The limits of a connection, smaller than in production. All except `connectionsMax` are in milliseconds. */
const limits = { headersMs: 400, requestMs: 900, idleMs: 300, checkEveryMs: 50, connectionsMax: 250 };
/**
 * A connection may be closed this much later than its limit says. Limits are checked at intervals, Node waits one more second, and
 * the machine may be busy.
 */
const slackMs = 3_000;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function startApi(connections = limits) {
  const { url, stop } = await harness.startApi({ connections });
  const open: ReturnType<typeof openConnection>[] = [];
  stops.push(async () => {
    for (const { socket } of open) socket.destroy();
    await stop();
  });
  const port = Number(new URL(url).port);
  return {
    port,
    connect: async () => {
      const connection = openConnection(port);
      open.push(connection);
      await connection.connected;
      return connection;
    },
  };
}

type Connection = ReturnType<typeof openConnection>;

/** Sends the text byte by byte, and waits until the server ends the connection. Returns how many milliseconds that took. */
async function dribble(connection: Connection, text: string): Promise<number> {
  const startedAt = performance.now();
  for (let at = 0; !connection.hasEnded(); at++) {
    if (at < text.length) connection.send(text.charAt(at));
    if (performance.now() - startedAt > limits.requestMs + slackMs)
      throw new Error('it was not ended in time');
    await pause(20);
  }
  return performance.now() - startedAt;
}

const expectTimedOut = ({ received }: Connection) => {
  const answers = answersIn(received());
  expect(answers.map(({ status }) => status)).toEqual([408]);
  expect(expectDocumentedRefusal(answers[0], 408)).toBe('request_timeout');
};

test('headers that dribble in are given up after their time, with an answer', async () => {
  const api = await startApi({ ...limits, requestMs: 30_000 });
  const connection = await api.connect();
  const tookMs = await dribble(connection, head({ headers: ['X-Slow: '.padEnd(5_000, 'a')] }));
  expect(tookMs).toBeGreaterThan(limits.headersMs - 20);
  expectTimedOut(connection);
});

test('a body that dribbles in is given up after its time, with an answer, and nothing is done', async () => {
  const api = await startApi();
  const connection = await api.connect();
  const headers = ['Content-Type: application/json', `Content-Length: ${webhookBody.length}`];
  connection.send(head({ method: 'POST', key, headers }));
  const tookMs = await dribble(connection, webhookBody.slice(0, -1));
  expect(tookMs).toBeGreaterThan(limits.requestMs - 20);
  expectTimedOut(connection);
});

test('chunks of one byte that never end are given up after their time', async () => {
  const api = await startApi();
  const connection = await api.connect();
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  connection.send(head({ method: 'POST', key, headers }));
  await dribble(connection, '1\r\n \r\n'.repeat(2_000));
  expectTimedOut(connection);
});

test('a silent connection, and an idle one, are closed after their time', async () => {
  const api = await startApi({ ...limits, requestMs: 30_000 });
  const [silent, idle] = [await api.connect(), await api.connect()];
  idle.send(head({ target: '/v1/health' }));
  await expect.poll(() => idle.hasEnded(), { timeout: limits.idleMs + slackMs }).toBe(true);
  expect(answersIn(idle.received()).map(({ status }) => status)).toEqual([200]);
  await expect.poll(() => silent.hasEnded(), { timeout: limits.headersMs + slackMs }).toBe(true);
});

test('a refused sender who keeps its side open, and goes on sending, is cut off', async () => {
  const api = await startApi();
  const connection = await api.connect();
  connection.send('garbage\r\n\r\n');
  await expect.poll(() => connection.hasEnded(), { timeout: slackMs }).toBe(true);
  const goesOn = setInterval(() => connection.send('garbage\r\n\r\n'), 50);
  await Promise.race([
    connection.closed,
    pause(8_000).then(() => Promise.reject(new Error('it stays open'))),
  ]);
  clearInterval(goesOn);
  expect(answersIn(connection.received()).map(({ status }) => status)).toEqual([400]);
});

test('two hundred slow connections hold up no other request', async () => {
  const api = await startApi({ ...limits, headersMs: 20_000, requestMs: 30_000 });
  const slow = await Promise.all(Array.from({ length: 200 }, api.connect));
  const beginnings = [
    'GET /v1/hea',
    'GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    head({ method: 'POST', key, headers: ['Content-Length: 60000', 'Content-Type: application/json'] }),
  ];
  for (const [i, connection] of slow.entries()) connection.send(beginnings[i % 3] ?? '');
  for (let i = 0; i < 20; i++) {
    const answers = await exchange(api.port, head({ key, headers: ['Connection: close'] }));
    expect(answers.map(({ status }) => status)).toEqual([200]);
  }
  // All twenty requests were answered while every slow connection was still open.
  expect(slow.filter(({ hasEnded }) => hasEnded())).toEqual([]);
});

test('connections beyond the limit are closed at once; the others go on, and when one ends there is room again', async () => {
  const api = await startApi({ ...limits, headersMs: 20_000, requestMs: 30_000, connectionsMax: 5 });
  const held = await Promise.all(Array.from({ length: 5 }, api.connect));
  for (const connection of held) connection.send('GET /v1/health HTTP/1.1\r\n');
  // Connections arrive in order, so the five before this one are already counted.
  const oneMore = await api.connect();
  await expect.poll(() => oneMore.hasEnded() || oneMore.socket.destroyed, { timeout: slackMs }).toBe(true);
  expect(oneMore.received()).toBe('');

  held[0]?.send('Host: x\r\nConnection: close\r\n\r\n');
  await expect.poll(() => held[0]?.hasEnded(), { timeout: slackMs }).toBe(true);
  expect(answersIn(held[0]?.received() ?? '').map(({ status }) => status)).toEqual([200]);
  held[0]?.socket.destroy();
  const healthAgain = async () =>
    (await exchange(api.port, head({ target: '/v1/health', headers: ['Connection: close'] }))).length;
  await expect.poll(healthAgain, { timeout: slackMs }).toBe(1);
});
