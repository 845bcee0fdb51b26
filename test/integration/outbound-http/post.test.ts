import type { ServerResponse } from 'node:http';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, inject, test } from 'vitest';
import { addressRules } from '#platform/outbound/addresses.ts';
import { createSender, type Sender } from '#platform/outbound/http.ts';

const loopback = addressRules([{ address: '127.0.0.0', prefixLength: 8 }]);
const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function sender(options: Partial<Parameters<typeof createSender>[0]> = {}): Sender {
  const made = createSender({
    rules: loopback,
    extraCa: () => [inject('receiverTls').ca],
    timeoutMs: 2_000,
    ...options,
  });
  stops.push(() => made.close());
  return made;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

async function receiver(
  answer: (response: ServerResponse) => void,
  tls: ServerOptions = inject('receiverTls'),
) {
  const server = createServer(tls, (_, response) => answer(response));
  const port = await listen(server);
  stops.unshift(async () => server.closeAllConnections());
  return `https://localhost:${port}/`;
}

const post = (url: string, by = sender()) =>
  by.post(url, { 'content-type': 'application/json' }, Buffer.from('{}'));

test('status, Retry-After and the beginning of the answer are kept', async () => {
  const url = await receiver((response) =>
    response.writeHead(429, { 'retry-after': '120' }).end('x'.repeat(50_000)),
  );
  const posted = await post(url);
  expect(posted).toMatchObject({ answered: true, status: 429, retryAfterMs: 120_000 });
  expect(posted.answered && posted.excerpt.length).toBe(8_192);
});

test('the headers are reported as they were written and as they came; of a request that never left there are none', async () => {
  const arrived: string[][] = [];
  const url = await receiver((response) => {
    arrived.push(response.req.rawHeaders);
    response.writeHead(500, ['X-Odd-CASE', 'a', 'x-odd-case', 'b', 'Set-Cookie', 'c=d']).end();
  });
  const posted = await post(url);
  expect(posted.answered && posted.version).toBe('1.1');
  const { sent, lines } = posted as Extract<typeof posted, { answered: true }>;
  expect(Object.entries(sent ?? {}).flat()).toEqual(arrived[0]);
  expect(lines.slice(0, 3)).toEqual(['X-Odd-CASE: a', 'x-odd-case: b', 'Set-Cookie: c=d']);
  expect(await post('https://localhost:9/')).toMatchObject({ answered: false, sent: null });
  const silent = await receiver(() => undefined);
  expect(await post(silent, sender({ timeoutMs: 300 }))).toMatchObject({
    answered: false,
    sent: { connection: 'keep-alive' },
  });
});

test('a 2xx counts as soon as its headers are in, however long its body takes', async () => {
  const url = await receiver((response) => {
    response.writeHead(200);
    response.write('x');
  });
  const posted = await post(url, sender({ timeoutMs: 20_000 }));
  expect(posted).toMatchObject({ answered: true, status: 200 });
  expect(posted.durationMs).toBeLessThan(19_900);
});

test('a receiver that never answers is timed_out by the deadline, also before TLS is up', async () => {
  const silent = await receiver(() => undefined);
  expect(await post(silent)).toMatchObject({ answered: false, reason: 'timed_out' });
  const port = await listen(createPlainServer((socket) => socket.on('error', () => undefined).resume()));
  const startedAt = Date.now();
  expect(await post(`https://localhost:${port}/`)).toMatchObject({ answered: false, reason: 'timed_out' });
  expect(Date.now() - startedAt).toBeLessThan(3_500);
});

test('a refused connection, a lost one and a server that is not TLS each have their reason', async () => {
  expect(await post('https://localhost:9/')).toMatchObject({
    answered: false,
    reason: 'address_not_allowed',
  });
  const unused = await listen(createPlainServer());
  await stops.pop()?.();
  expect(await post(`https://localhost:${unused}/`)).toMatchObject({
    answered: false,
    reason: 'connection_failed',
  });
  const cut = await receiver((response) => response.destroy());
  expect(await post(cut)).toMatchObject({ answered: false, reason: 'connection_lost' });
});

test('a certificate of an unknown authority is refused', async () => {
  const url = await receiver((response) => response.end());
  expect(await post(url, sender({ extraCa: () => [] }))).toMatchObject({
    answered: false,
    reason: 'tls_failed',
  });
});

test('a private address is not connected to, whatever it is called', async () => {
  let asked = 0;
  const url = await receiver((response) => {
    asked += 1;
    response.end();
  });
  const strict = sender({ rules: addressRules([]) });
  const { port } = new URL(url);
  for (const host of ['localhost', '127.0.0.1', '[::1]', '0x7f.1', '2130706433', 'localhost.'])
    expect(await post(`https://${host}:${port}/`, strict)).toMatchObject({
      answered: false,
      reason: 'address_not_allowed',
    });
  await pause(50);
  expect(asked).toBe(0);
});
