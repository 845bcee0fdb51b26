import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import {
  allCloseAfterEach,
  answered,
  newSender,
  onRequest,
  openSockets,
  outcomeOf,
  post,
  tcpReceiver,
  tlsReceiver,
  whileOpen,
} from './receivers.ts';

allCloseAfterEach();

const noAnswer = (reason: string, phase: string) => ({ answered: false, reason, phase });
const line = (status: number, ...headers: string[]) =>
  [`HTTP/1.1 ${status} X`, ...headers, '', ''].join('\r\n');
const ok = line(200, 'content-length: 2');

type Game = [title: string, play: (socket: Socket) => void, outcome: object];
const replies = (text: string | Buffer) => (socket: Socket) => onRequest(socket, () => socket.write(text));
const repliesAndEnds = (text: string) => (socket: Socket) => onRequest(socket, () => socket.end(text));

const games: Game[] = [
  ['204', replies(line(204)), answered(204)],
  ['205', replies(line(205, 'content-length: 0')), answered(205)],
  ['an early hint before the answer', replies(`${line(103)}${ok}ok`), answered(200)],
  ['an answer before the request has come', (socket) => socket.write(`${ok}ok`), answered(200)],
  ['silence', () => undefined, noAnswer('timed_out', 'headers')],
  [
    'a flood of 103',
    (socket) => onRequest(socket, () => whileOpen(socket, 5, () => socket.write(line(103)))),
    noAnswer('timed_out', 'headers'),
  ],
  [
    'a drip in the headers',
    (socket) => {
      const bytes = [...`HTTP/1.1 200 OK\r\n${'x-a: b\r\n'.repeat(1_000)}`];
      onRequest(socket, () => whileOpen(socket, 20, () => socket.write(bytes.shift() ?? '')));
    },
    noAnswer('timed_out', 'headers'),
  ],
  ['100 that nobody asked for, and no more', replies(line(100)), noAnswer('timed_out', 'headers')],
  ['100 that nobody asked for, then the answer', replies(`${line(100)}${ok}ok`), answered(200)],
  [
    'every kind of interim answer',
    replies(`${[100, 102, 103, 104, 199].map((status) => line(status, 'x: y')).join('')}${ok}ok`),
    answered(200),
  ],
  [
    '100 at once, and the answer later',
    (socket) => {
      socket.write(line(100));
      onRequest(socket, () => socket.write(`${ok}ok`));
    },
    answered(200),
  ],
  ['101 after 100', replies(`${line(100)}${line(101)}`), noAnswer('malformed_answer', 'headers')],
  [
    'a length and chunks',
    replies(`${line(200, 'content-length: 2', 'transfer-encoding: chunked')}2\r\nok\r\n0\r\n\r\n`),
    answered(200),
  ],
  [
    'a length and chunks that are none',
    replies(`${line(200, 'transfer-encoding: chunked', 'content-length: 2')}ok`),
    answered(200),
  ],
  [
    'two lengths that agree',
    replies(`${line(200, 'content-length: 2', 'content-length: 2')}ok`),
    answered(200),
  ],
  [
    'two lengths that differ',
    replies(`${line(200, 'content-length: 2', 'content-length: 5')}ok`),
    answered(200),
  ],
  ['a list of lengths', replies(`${line(200, 'content-length: 2, 2')}ok`), answered(200)],
  ['a length that is no number', repliesAndEnds(`${line(200, 'content-length: x')}ok`), answered(200)],
  ['a negative length', repliesAndEnds(`${line(200, 'content-length: -2')}ok`), answered(200)],
  [
    'a coding that nobody knows',
    repliesAndEnds(`${line(200, 'transfer-encoding: gzip, chunked')}ok`),
    answered(200),
  ],
  [
    'chunked twice',
    repliesAndEnds(`${line(200, 'transfer-encoding: chunked', 'transfer-encoding: chunked')}ok`),
    answered(200),
  ],
  ['a body with 204', replies(`${line(204, 'content-length: 2')}ok`), answered(204)],
  ['chunks with 304', replies(`${line(304, 'transfer-encoding: chunked')}0\r\n\r\n`), answered(304)],
  [
    'a refusal with two lengths',
    replies(`${line(500, 'content-length: 2', 'content-length: 5')}ok`),
    answered(500),
  ],
  ['lines that end with a bare LF', replies(`${ok}ok`.replaceAll('\r\n', '\n')), answered(200)],
  ['a line end before the answer', replies(`\r\n${ok}ok`), answered(200)],
  ['a space before a colon', replies(`${line(200, 'content-length : 2')}ok`), answered(200)],
  ['a header without a colon', replies(`${line(200, 'content-length: 2', 'oops')}ok`), answered(200)],
  ['a folded header', replies(`${line(200, 'x-a: b', ' c', 'content-length: 2')}ok`), answered(200)],
  [
    'a header in another alphabet',
    replies(`${line(200, 'content-length: 2', 'x-ünïcode: ✓')}ok`),
    answered(200),
  ],
  ['a status without a reason', replies('HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok'), answered(200)],
  ['HTTP/1.0', replies('HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok'), answered(200)],
  [
    'an answer in pieces of one byte',
    (socket) =>
      onRequest(socket, () => {
        const bytes = [...`${line(103)}${line(200, 'transfer-encoding: chunked')}2\r\nok\r\n0\r\n\r\n`];
        whileOpen(socket, 1, () => socket.write(bytes.shift() ?? ''));
      }),
    answered(200),
  ],
  [
    'HTTP/2.0 in the status line',
    replies('HTTP/2.0 200 OK\r\n\r\n'),
    noAnswer('malformed_answer', 'headers'),
  ],
  ['a status of two digits', replies('HTTP/1.1 20 OK\r\n\r\n'), noAnswer('malformed_answer', 'headers')],
  ['a status of zero', replies('HTTP/1.1 000 OK\r\n\r\n'), noAnswer('malformed_answer', 'headers')],
  [
    '101 that nobody asked for',
    replies(line(101, 'upgrade: websocket', 'connection: upgrade')),
    noAnswer('malformed_answer', 'headers'),
  ],
  ['a banner of another protocol', replies('SSH-2.0-x\r\n'), noAnswer('malformed_answer', 'headers')],
  ['HTTP/0.9', repliesAndEnds('<html>'), noAnswer('malformed_answer', 'headers')],
  [
    'headers of 20 KiB',
    replies(line(200, `x-a: ${'b'.repeat(20_480)}`)),
    noAnswer('malformed_answer', 'headers'),
  ],
  [
    'headers without end',
    (socket) =>
      onRequest(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        whileOpen(socket, 1, () => socket.write(`x-a: ${'b'.repeat(1_000)}\r\n`));
      }),
    noAnswer('malformed_answer', 'headers'),
  ],
  [
    'line ends without end',
    (socket) => onRequest(socket, () => whileOpen(socket, 1, () => socket.write('\r\n'.repeat(500)))),
    noAnswer('malformed_answer', 'headers'),
  ],
  [
    'interim answers without end',
    (socket) => onRequest(socket, () => whileOpen(socket, 1, () => socket.write(line(103).repeat(50)))),
    noAnswer('malformed_answer', 'headers'),
  ],
  [
    'an end before the status',
    (socket) => onRequest(socket, () => socket.end()),
    noAnswer('connection_lost', 'headers'),
  ],
  [
    'a reset before the status',
    (socket) => onRequest(socket, () => socket.destroy()),
    noAnswer('connection_lost', 'headers'),
  ],
  ['an end within the status', repliesAndEnds('HTTP/1.1 20'), noAnswer('connection_lost', 'headers')],
  ['an end within the body', repliesAndEnds(`${line(200, 'content-length: 100')}ok`), answered(200)],
  ['more of a body than it said', replies(`${ok}okokokok`), answered(200)],
  ['a body that does not come', replies(ok), answered(200)],
  ['an error whose body does not come', replies(line(500, 'content-length: 2')), answered(500)],
  [
    'trailers without end',
    (socket) =>
      onRequest(socket, () => {
        socket.write(`${line(200, 'transfer-encoding: chunked')}0\r\n`);
        whileOpen(socket, 1, () => socket.write('x-a: b\r\n'));
      }),
    answered(200),
  ],
];

test.each(games)('every answer of a receiver is a result, never an error: %s', async (_, play, outcome) => {
  const { url } = await tlsReceiver(play);
  expect(outcomeOf(await post(url))).toEqual(outcome);
});

test('a reset after the status changes nothing: a stored event is not sent again', async () => {
  covers('6.4/2xx-is-success');
  const { url } = await tlsReceiver((socket) =>
    onRequest(socket, () => socket.write(`${line(200, 'content-length: 9')}part`, () => socket.destroy())),
  );
  const posted = await post(url);
  expect(outcomeOf(posted)).toEqual(answered(200));
});

test.each([300, 301, 302, 303, 304, 305, 307, 308])('a %i is not followed', async (status) => {
  const sink = await tlsReceiver((socket) => onRequest(socket, () => socket.end(`${ok}ok`)));
  const { url } = await tlsReceiver(replies(line(status, `location: ${sink.url}`, 'content-length: 0')));
  expect(outcomeOf(await post(url))).toEqual(answered(status));
  expect(sink.connections()).toBe(0);
});

test('a compressed answer is kept as it came, and never unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const { url } = await tlsReceiver(
    replies(
      Buffer.concat([
        Buffer.from(line(200, 'content-encoding: gzip', `content-length: ${bomb.length}`)),
        bomb,
      ]),
    ),
  );
  const posted = await post(url);
  expect(outcomeOf(posted)).toEqual(answered(200));
  expect(posted.answered && posted.excerpt).toEqual(bomb.subarray(0, 8_192));
});

const mebibyte = 1024 * 1024;

test.each([
  ['a body', `${line(200)}`, () => 'x'.repeat(65_536)],
  ['a chunk extension', `${line(200, 'transfer-encoding: chunked')}5;`, () => 'x'.repeat(65_536)],
])('%s without end is read no further than the excerpt needs, and held by nobody', async (_, start, more) => {
  let sentBytes = 0;
  const { url } = await tlsReceiver((socket) =>
    onRequest(socket, () => {
      socket.write(start);
      const go = () => {
        while (!socket.destroyed && sentBytes < 400 * mebibyte) {
          sentBytes += 65_536;
          if (!socket.write(more())) return;
        }
      };
      socket.on('drain', go);
      go();
    }),
  );
  const before = process.memoryUsage.rss();
  expect(outcomeOf(await post(url))).toEqual(answered(200));
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * mebibyte);
});

test('the excerpt of a slow body is what came within its time', async () => {
  const { url } = await tlsReceiver((socket) =>
    onRequest(socket, () => {
      socket.write(line(500, 'content-length: 100'));
      whileOpen(socket, 20, () => socket.write('x'));
    }),
  );
  const posted = await post(url, newSender({ timeoutMs: 600 }));
  expect(outcomeOf(posted)).toEqual(answered(500));
  expect(posted.answered && posted.excerpt.toString()).toMatch(/^x+$/);
});

test('a connection is used again, unless there is anything wrong with it', async () => {
  const cases: [string, (socket: Socket) => void, number][] = [
    ['kept', replies(`${ok}ok`), 1],
    ['more than was said', replies(`${ok}ok${ok}ok`), 2],
    ['garbage after the answer', replies(`${ok}okSSH-2.0-x\r\n`), 2],
    ['closed while nothing happens', repliesAndEnds(`${ok}ok`), 2],
    ['closed as announced', replies(`${line(200, 'connection: close', 'content-length: 2')}ok`), 2],
    [
      'kept, in chunks',
      replies(`${line(200, 'transfer-encoding: chunked')}2;a=b\r\nok\r\n0\r\nx: y\r\n\r\n`),
      1,
    ],
    ['kept, without a body', replies(line(204)), 1],
    ['kept after an interim answer', replies(`${line(100)}${ok}ok`), 1],
    ['two lengths', replies(`${line(200, 'content-length: 2', 'content-length: 2')}ok`), 2],
    [
      'a length and chunks',
      replies(`${line(200, 'content-length: 2', 'transfer-encoding: chunked')}0\r\n\r\n`),
      2,
    ],
    ['a body with 204', replies(`${line(204, 'content-length: 2')}ok`), 2],
    ['a folded length', replies(`${line(200, 'x: y', ' content-length: 2')}ok`), 2],
    ['more than the last chunk', replies(`${line(200, 'transfer-encoding: chunked')}0\r\n\r\n${ok}`), 2],
  ];
  for (const [what, play, connections] of cases) {
    const receiver = await tlsReceiver(play);
    const sender = newSender({ idleMs: 30_000 });
    expect(outcomeOf(await post(receiver.url, sender)), what).toMatchObject({ answered: true });
    if (connections > 1) await expect.poll(openSockets, { message: what }).toBe(0);
    expect(outcomeOf(await post(receiver.url, sender)), what).toMatchObject({ answered: true });
    expect(receiver.connections(), what).toBe(connections);
    await sender.close();
    await expect.poll(openSockets, { message: what }).toBe(0);
  }
});

test('a connection that was idle for too long is not used again, however late the timers are', async () => {
  const idleMs = 300;
  const receiver = await tlsReceiver(replies(`${ok}ok`));
  const sender = newSender({ idleMs });
  expect(outcomeOf(await post(receiver.url, sender))).toEqual(answered(200));
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, idleMs + 50);
  expect(outcomeOf(await post(receiver.url, sender))).toEqual(answered(200));
  expect(receiver.connections()).toBe(2);
});

test.each([
  ['a length', 'content-length: 5', 'hello'],
  ['chunks', 'transfer-encoding: chunked', '2\r\nhe\r\n3;x\r\nllo\r\n0\r\n\r\n'],
  ['the end of the connection', 'x: y', 'hello'],
  ['two lengths', 'content-length: 9\r\ncontent-length: 5', 'hello'],
])('the excerpt of a body that ends by %s is its content', async (_, header, body) => {
  const { url } = await tlsReceiver(repliesAndEnds(`${line(200, header)}${body}`));
  const posted = await post(url);
  expect(posted.answered && posted.excerpt.toString()).toBe('hello');
});

test('a connection that is lost during the next request is one failed attempt, sent once', async () => {
  let requests = 0;
  const receiver = await tlsReceiver((socket) =>
    onRequest(socket, (count) => {
      requests += 1;
      if (count === 1) socket.write(`${ok}ok`);
      else socket.destroy();
    }),
  );
  const sender = newSender();
  expect(outcomeOf(await post(receiver.url, sender))).toEqual(answered(200));
  expect(outcomeOf(await post(receiver.url, sender))).toEqual(noAnswer('connection_lost', 'headers'));
  expect(requests).toBe(2);
});

test('a port at which nobody listens is connection_failed', async () => {
  const sender = newSender();
  expect(outcomeOf(await post('https://localhost:9/', sender))).toEqual(
    noAnswer('address_not_allowed', 'url'),
  );
  expect(outcomeOf(await post('https://localhost:1099/', sender))).toEqual(
    noAnswer('connection_failed', 'connect'),
  );
});

test('closing the sender ends what is under way', async () => {
  const greeted = Promise.withResolvers<void>();
  const { url } = await tcpReceiver((socket) => socket.once('data', () => greeted.resolve()));
  const sender = newSender({ timeoutMs: 30_000, connectTimeoutMs: 30_000 });
  const posting = post(url, sender);
  await greeted.promise;
  await sender.close();
  expect(outcomeOf(await posting)).toEqual(noAnswer('connection_lost', 'tls'));
});
