import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  allCloseAfterEach,
  answered,
  newSender,
  onRequest,
  outcomeOf,
  post,
  tlsReceiver,
} from './receivers.ts';

allCloseAfterEach();

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Counts the requests that a receiver has read to their end, and keeps what they said. */
async function counting(play: (socket: Socket, request: number, connection: number) => void) {
  const requests: string[] = [];
  const receiver = await tlsReceiver((socket, connection) => {
    socket.on('data', (data) => requests.push(data.toString('latin1')));
    onRequest(socket, (request) => play(socket, request, connection));
  });
  return { ...receiver, requests };
}

test.each<[string, (socket: Socket) => void]>([
  ['ends its connection after its answer', (socket) => socket.end(ok)],
  ['closes it without a word', (socket) => void socket.write(ok, () => socket.destroy())],
])('a receiver that %s gets every event, and each once', async (_, play) => {
  const { url, requests, connections } = await counting(play);
  const sender = newSender();
  for (let event = 0; event < 20; event++)
    expect(outcomeOf(await post(url, sender)), `event ${event}`).toEqual(answered(200));
  expect([requests.length, connections()]).toEqual([20, 20]);
});

test('a receiver that closed a kept connection gets a new one for each attempt, and is told so', async () => {
  const { url, requests, connections } = await counting((socket, _, connection) =>
    connection === 1 ? socket.end(ok) : socket.write(ok),
  );
  const sender = newSender();
  expect(outcomeOf(await post(url, sender))).toEqual(answered(200));
  await pause(20);
  for (let event = 0; event < 2; event++) expect(outcomeOf(await post(url, sender))).toEqual(answered(200));
  expect(connections()).toBe(3);
  expect(requests.map((request) => /connection: (.*)\r\n/.exec(request)?.[1])).toEqual([
    'keep-alive',
    'close',
    'close',
  ]);
});

test.each<[string, (socket: Socket) => void]>([
  ['closed', (socket) => socket.end()],
  ['destroyed', (socket) => socket.destroy()],
  ['never answered', () => undefined],
])(
  'an event that was read on a kept connection, which is then %s, is not sent again within its attempt, and the next has its own connection',
  async (_, fail) => {
    const { url, requests, connections } = await counting((socket, request, connection) =>
      connection === 1 && request === 2 ? fail(socket) : socket.write(ok),
    );
    const sender = newSender();
    const outcomes = [];
    for (let event = 0; event < 4; event++) outcomes.push(await post(url, sender));
    expect(outcomes.map(({ answered }) => answered)).toEqual([true, false, true, true]);
    expect(outcomes.map(({ kept }) => kept)).toEqual([false, true, false, false]);
    expect([requests.length, connections()]).toEqual([4, 3]);
  },
);

test.each([
  ['names a short time', 'keep-alive: timeout=1', 2],
  ['names no time at all', 'keep-alive: timeout=0', 2],
  ['names a long time', 'keep-alive: timeout=60, max=100', 1],
  ['speaks HTTP/1.0', undefined, 2],
])('a connection is kept as long as its receiver says: it %s', async (_, header, connections) => {
  const answer = header ? ok.replace('\r\n', `\r\n${header}\r\n`) : ok.replace('1.1', '1.0');
  const receiver = await counting((socket) => socket.write(answer));
  const sender = newSender();
  for (let event = 0; event < 2; event++)
    expect(outcomeOf(await post(receiver.url, sender))).toEqual(answered(200));
  expect(receiver.connections()).toBe(connections);
});

test('events at the same time have connections of their own, which serve further ones', async () => {
  const receiver = await counting((socket) => setTimeout(() => socket.write(ok), 20));
  const sender = newSender();
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => post(receiver.url, sender)));
    for (const outcome of outcomes) expect(outcomeOf(outcome)).toEqual(answered(200));
    expect(outcomes.every(({ kept }) => kept === round > 0)).toBe(true);
  }
  expect([receiver.requests.length, receiver.connections()]).toEqual([24, 8]);
});

test('a receiver that answers a kept connection unasked is not believed', async () => {
  const receiver = await counting((socket) => {
    socket.write(ok);
    setImmediate(() => socket.write(ok.replace('200 OK', '500 No')));
  });
  const sender = newSender();
  for (let event = 0; event < 3; event++) {
    expect(outcomeOf(await post(receiver.url, sender))).toEqual(answered(200));
    // The kernel can hold back the second piece of a side for 40 ms.
    await pause(100);
  }
  expect([receiver.requests.length, receiver.connections()]).toEqual([3, 3]);
});

test('receivers behind one host have connections of their own, so what one sends too late is not the answer of another', async () => {
  const refused = ok.replace('200 OK', '500 No');
  const receiver = await tlsReceiver((socket) => {
    const paths: string[] = [];
    socket.on('data', (data) => {
      paths.push(/^POST (\S+)/.exec(data.toString('latin1'))?.[1] ?? '');
      if (paths.at(-1) === '/mine') socket.write(ok);
      else socket.write(paths[0] === '/mine' ? `${ok}${refused}` : refused);
    });
  });
  const [mine, other] = [new URL('/mine', receiver.url).href, new URL('/other', receiver.url).href];
  const sender = newSender({ idleMs: 2_000 });
  const outcomes = [];
  for (const url of [mine, other, mine, other]) outcomes.push(await post(url, sender));
  expect(outcomes.map(outcomeOf)).toEqual([200, 500, 200, 500].map(answered));
  expect(outcomes.map(({ kept }) => kept)).toEqual([false, false, true, true]);
  expect(receiver.connections()).toBe(2);
  await sender.close();
});
