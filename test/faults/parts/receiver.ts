import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * A partner's server in a process of its own, which uses no code of the product. It writes down every request before it answers.
 * `/good` always answers 200. `/flaky` decides by the id of the event: for half of the events it always answers 200. For most
 * others it first answers 500 one to three times, and for the rest it always answers 500. `/failing` always answers 500, and
 * `/hanging` never answers.
 */

type Message = { order?: { point: string; arrival: number } };

const [certFile = '', keyFile = '', logFile = ''] = process.argv.slice(2);
let order: Message['order'];
const asked = new Map<string, number>();

/** True at the arrival that the harness waits for. */
function isAwaited(point: string): boolean {
  if (order?.point !== point) return false;
  order = { ...order, arrival: order.arrival - 1 };
  return order.arrival === 0;
}

function failuresFirst(eventId: string): number {
  const roll = (createHash('sha256').update(eventId).digest()[0] ?? 0) % 10;
  return [0, 0, 0, 0, 0, 1, 1, 2, 3, Number.POSITIVE_INFINITY][roll] ?? 0;
}

function statusFor(path: string, eventId: string): number {
  const count = (asked.get(path + eventId) ?? 0) + 1;
  asked.set(path + eventId, count);
  if (path === '/failing') return 500;
  return path === '/flaky' && count <= failuresFirst(eventId) ? 500 : 200;
}

function answer(response: ServerResponse, status: number): void {
  // Each delivery must open a new connection, so that a fault during connect can always happen.
  response.writeHead(status, { connection: 'close' }).end('{"received":true}');
}

const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
const https = createServer(tls, async (request, response) => {
  const body = await buffer(request);
  const path = request.url ?? '';
  const { 'x-service-delivery': eventId = '', 'x-service-signature': signature } = request.headers;
  const status = statusFor(path, String(eventId));
  const line = { at: Date.now(), path, eventId, signature, body: body.toString('base64'), status };
  appendFileSync(logFile, `${JSON.stringify(line)}\n`);
  if (path === '/hanging') return;
  if (status === 200 && isAwaited('worker after send')) {
    process.send?.('hit');
    setTimeout(() => answer(response, status), 500);
  } else answer(response, status);
});

const front = createTcpServer((socket) => {
  socket.on('error', () => undefined);
  if (!isAwaited('worker during connect')) return void https.emit('connection', socket);
  process.send?.('hit');
  setTimeout(() => socket.destroy(), 2_000);
});

process.on('message', (message: Message) => {
  order = message.order;
  process.send?.('armed');
});
process.on('disconnect', () => process.exit());
front.listen(0, '127.0.0.1', () => process.send?.({ port: (front.address() as AddressInfo).port }));
