import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import { addressRules } from '#platform/outbound/addresses.ts';
import { startNameServer } from './name-server.ts';
import { answered, newSender, outcomeOf, post } from './receivers.ts';

const host = 'hooks.partner.example';
const both = addressRules([
  { address: '127.0.0.0', prefixLength: 8 },
  { address: '::1', prefixLength: 128 },
]);

let names: Awaited<ReturnType<typeof startNameServer>>;
beforeAll(async () => {
  names = await startNameServer();
});
afterAll(() => names.stop());

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Waits for `gate` with its event loop, so that the kernel alone answers, until its queue is full. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:tls').createServer(workerData.tls, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\n\\r\\n'));
  });
  server.on('tlsClientError', () => undefined);
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(workerData.gate, 0, 0));
  });
`;

/** A receiver whose queue of connections is full. It accepts nobody until it is let go. */
async function busyReceiver() {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(program, { eval: true, workerData: { gate, tls: inject('receiverTls') } });
  const letGo = () => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  stops.push(async () => {
    letGo();
    await worker.terminate();
  });
  const [port] = (await once(worker, 'message')) as [number];
  await pause(50);
  for (let isFull = false; !isFull; ) {
    const socket: Socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined);
    stops.push(() => socket.destroy());
    isFull = await Promise.race([once(socket, 'connect').then(() => false), pause(100).then(() => true)]);
    if (isFull) socket.destroy();
  }
  return { port, letGo };
}

const sender = () =>
  newSender({ rules: both, dnsServers: [names.address], timeoutMs: 8_000, connectTimeoutMs: 5_000 });

test('a receiver that takes a second to accept gets the event, although another address of its name leads nowhere', async () => {
  const { port, letGo } = await busyReceiver();
  names.answers.set(host, { a: ['127.0.0.1', '127.0.0.9'], aaaa: ['::1'] });
  const posting = post(`https://${host}:${port}/`, sender());
  await pause(600);
  letGo();
  const posted = await posting;
  expect(outcomeOf(posted)).toEqual(answered(200));
  expect(posted.durationMs).toBeGreaterThan(600);
});

test('an address that accepts nobody delays an event by no more than the start of the next address', async () => {
  const { port } = await busyReceiver();
  const server = createServer(inject('receiverTls'), (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  server.listen(port, '127.0.0.2');
  await once(server, 'listening');
  stops.push(() => server.close());
  names.answers.set(host, { a: ['127.0.0.1', '127.0.0.2'] });
  const by = sender();
  const posted = await post(`https://${host}:${port}/`, by);
  expect(outcomeOf(posted)).toEqual(answered(204));
  expect(posted.durationMs).toBeGreaterThanOrEqual(240);
  await by.close();
});

test('an address that accepts nobody is timed_out when the time to connect is over', async () => {
  const { port } = await busyReceiver();
  names.answers.set(host, { a: ['127.0.0.1'], aaaa: ['::1'] });
  const by = newSender({ rules: both, dnsServers: [names.address], timeoutMs: 8_000, connectTimeoutMs: 700 });
  const posted = await post(`https://${host}:${port}/`, by);
  expect(outcomeOf(posted)).toEqual({ answered: false, phase: 'connect', reason: 'timed_out' });
  expect(posted.durationMs).toBeGreaterThan(600);
});
