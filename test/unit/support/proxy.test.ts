import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NetworkProxy, startProxy } from '#test/support/servers/proxy.ts';

const accepted: Socket[] = [];
/** Answers every line with the same line. */
const echo = createServer({ allowHalfOpen: true }, (socket) => {
  accepted.push(socket.on('error', () => undefined));
  socket.on('data', (bytes) => socket.writable && socket.write(bytes));
  socket.on('end', () => socket.end());
});
let proxy: NetworkProxy;
beforeAll(async () => {
  await once(echo.listen(0, '127.0.0.1'), 'listening');
  proxy = await startProxy((echo.address() as AddressInfo).port);
});
afterAll(() => {
  proxy.stop();
  echo.close();
});

/** A client, what it has read, and whether it was told that the server has finished or is gone. */
async function client() {
  const socket = connect({ port: proxy.port, host: '127.0.0.1', allowHalfOpen: true });
  const seen = { text: '', ended: false, closed: false };
  socket
    .on('error', () => undefined)
    .on('data', (bytes) => {
      seen.text += bytes;
    })
    .on('end', () => {
      seen.ended = true;
    })
    .on('close', () => {
      seen.closed = true;
    });
  await once(socket, 'connect');
  return { socket, seen, say: (text: string) => socket.write(text) };
}

/** A round trip on a connection of its own. After it, whatever could pass on another connection has passed. */
async function echoed(): Promise<void> {
  const other = connect({ port: (echo.address() as AddressInfo).port, host: '127.0.0.1' });
  other.write('x');
  await once(other, 'data');
  other.destroy();
}

test('bytes pass in both directions, and the end of either side reaches the other', async () => {
  const { socket, seen, say } = await client();
  say('hello');
  await expect.poll(() => seen.text).toBe('hello');
  socket.end();
  await expect.poll(() => seen.closed).toBe(true);
});

test('what the server sends before it closes reaches the client', async () => {
  const { seen, say } = await client();
  say('hello');
  await expect.poll(() => seen.text).toBe('hello');
  accepted.at(-1)?.end('bye');
  await expect.poll(() => seen).toMatchObject({ text: 'hellobye', ended: true });
});

test('held bytes and held connections wait, and pass after the release', async () => {
  const { seen, say } = await client();
  proxy.hold('requests', 'answers');
  say('one');
  const late = await client();
  late.say('two');
  await echoed();
  expect([seen.text, late.seen.text]).toEqual(['', '']);
  proxy.release();
  await expect.poll(() => [seen.text, late.seen.text]).toEqual(['one', 'two']);
});

test('with held answers the request arrives', async () => {
  const { seen, say } = await client();
  say('before');
  await expect.poll(() => seen.text).toBe('before');
  proxy.hold('answers');
  let arrived = '';
  accepted.at(-1)?.on('data', (bytes) => {
    arrived += bytes;
  });
  say('after');
  await expect.poll(() => arrived).toBe('after');
  expect(seen.text).toBe('before');
  proxy.release();
  await expect.poll(() => seen.text).toBe('beforeafter');
  arrived = '';
  say('once');
  await expect.poll(() => seen.text).toBe('beforeafteronce');
  expect(arrived).toBe('once');
});

test('after a half close the client knows that the server has finished, and the server knows nothing', async () => {
  const { seen, say } = await client();
  say('one');
  await expect.poll(() => seen.text).toBe('one');
  proxy.halfClose();
  await expect.poll(() => seen.ended).toBe(true);
  expect(accepted.at(-1)?.readableEnded).toBe(false);
  proxy.cut();
  await expect.poll(() => accepted.at(-1)?.destroyed).toBe(true);
});

test('an abandoned connection stays open on both sides, whoever closes; new ones work', async () => {
  const { socket, seen, say } = await client();
  say('one');
  await expect.poll(() => seen.text).toBe('one');
  const atServer = accepted.at(-1);
  const bury = proxy.abandon();
  socket.resetAndDestroy();
  const next = await client();
  next.say('two');
  await expect.poll(() => next.seen.text).toBe('two');
  expect(atServer?.readableEnded).toBe(false);
  expect(atServer?.destroyed).toBe(false);
  bury();
  await expect.poll(() => atServer?.destroyed).toBe(true);
});
