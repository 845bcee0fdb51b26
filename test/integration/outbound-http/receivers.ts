import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { afterEach, expect, inject } from 'vitest';
import { addressRules } from '#platform/outbound/addresses.ts';
import { createSender, type Posted } from '#platform/outbound/http.ts';

export const loopback = addressRules([{ address: '127.0.0.0', prefixLength: 8 }]);

type Sent = Parameters<typeof createSender>[0];

const ownTimeouts = { timeoutMs: 1_000, resolveTimeoutMs: 300, connectTimeoutMs: 400, idleMs: 300 };

const servers: Server[] = [];
const senders: ReturnType<typeof createSender>[] = [];
const sockets = new Set<Socket>();
export const openSockets = () => sockets.size;

/**
 * After every test of the file that calls this, the sender must close all connections within 5 s, while the receiver still listens.
 * Unhandled rejections need no check here, since vitest fails a run in which one occurs.
 */
export function allCloseAfterEach(): void {
  afterEach(async () => {
    try {
      await expect.poll(openSockets, { timeout: 5_000 }).toBe(0);
    } finally {
      for (const sender of senders.splice(0)) await sender.close();
      for (const server of servers.splice(0)) server.close();
      for (const socket of sockets) socket.destroy();
    }
  });
}

export function newSender(options: Partial<Sent> = {}) {
  const sender = createSender({
    rules: loopback,
    extraCa: () => [inject('receiverTls').ca],
    ...ownTimeouts,
    ...options,
  });
  senders.push(sender);
  return sender;
}

async function listening(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return (server.address() as AddressInfo).port;
}

/** Starts a receiver that gets each connection after the TLS handshake. `play` writes the HTTP bytes itself. */
export async function tlsReceiver(
  play: (socket: TLSSocket, connections: number) => void,
  tls: TlsOptions = inject('receiverTls'),
) {
  let connections = 0;
  const server = createTlsServer(tls, (socket) => {
    socket.on('error', () => undefined);
    connections += 1;
    play(socket, connections);
    // If a side does not read, it does not see the end of the other side.
    socket.resume();
  });
  const port = await listening(server);
  return { port, url: `https://localhost:${port}/hook`, connections: () => connections };
}

/** Starts a receiver whose URL is https. `play` gets each connection before any TLS handshake and writes the raw bytes. */
export async function tcpReceiver(play: (socket: Socket) => void) {
  const port = await listening(createTcpServer(play));
  return { port, url: `https://localhost:${port}/hook` };
}

/** Answers each request on a connection after the whole request has arrived. Requests in these tests end in an empty object. */
export const onRequest = (socket: Socket, answer: (count: number) => void) => {
  let count = 0;
  socket.on('data', (data) => {
    if (data.toString('latin1').endsWith('{}')) answer(++count);
  });
};

/** Calls `act` again and again while the socket is open. */
export function whileOpen(socket: Socket, everyMs: number, act: () => void) {
  const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : act()), everyMs);
  socket.once('close', () => clearInterval(timer));
}

export const post = (url: string, by = newSender()): Promise<Posted> =>
  by.post(url, { 'content-type': 'application/json' }, Buffer.from('{}'));

/** Returns all of an outcome except its duration, its excerpt, its headers, and whether the connection had been used before. */
export function outcomeOf(posted: Posted) {
  const { durationMs, kept: _, sent, ...rest } = posted;
  expect(durationMs).toBeGreaterThanOrEqual(0);
  if (!rest.answered) return rest;
  const { excerpt, version, lines, ...answered } = rest;
  expect([version, sent?.connection]).toEqual([expect.stringMatching(/^1\.\d$/), expect.any(String)]);
  expect(excerpt.length).toBeLessThanOrEqual(8_192);
  return answered;
}

export const answered = (status: number) => ({
  answered: true,
  phase: 'body',
  status,
  retryAfterMs: null,
});
