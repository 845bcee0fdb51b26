import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type ListenOptions } from 'node:net';
import { expect, test } from 'vitest';
import { findIsolation, type Isolation } from '#platform/isolated/isolation.ts';
import { startProgram } from '#platform/isolated/program.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { watched } from '#test/support/examiners/watched.ts';
import { noNamespacesLine } from '#test/support/servers/without-namespaces.ts';
import type { Place } from './reaches-out.ts';

const isolation = await findIsolation({ warn: () => undefined });
const bare: Isolation = { wrapper: [], namespaces: false };

async function listening(where: ListenOptions): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(where);
  await once(server, 'listening');
  atTheEnd(() => server.close());
  return (server.address() as AddressInfo).port;
}

const datagrams = createSocket('udp4').bind(0, '127.0.0.1');
await once(datagrams, 'listening');
atTheEnd(() => datagrams.close());
const named = `\0no-network-${process.pid}`;
await listening({ path: named });
const port = await listening({ port: 0, host: '127.0.0.1' });

/** Where somebody listens on this machine. */
const here: Record<string, Place> = {
  'a port of this machine': { host: '127.0.0.1', port },
  'a port for datagrams of this machine': { host: '127.0.0.1', datagram: datagrams.address().port },
  'a socket of this machine that is no file': { path: named },
};
/** Addresses of nobody, which a machine with a network would at least try to reach. */
const elsewhere: Record<string, Place> = {
  'another machine': { host: '192.0.2.1', port: 443 },
  'another machine by IPv6': { host: '2001:db8::1', port: 443 },
  'another machine by a datagram': { host: '192.0.2.1', datagram: 53 },
};

async function tried(way: Isolation, places: Record<string, Place>): Promise<string[] | string> {
  const program = startProgram(way, {
    file: new URL('./reaches-out.ts', import.meta.url),
    ...{ readyMs: 30_000, jobMs: 30_000, answerBytesMax: 10_000, memoryBytesMax: 1_200_000_000 },
  });
  try {
    await program.ready;
    const answer = await program.answerTo([Buffer.from(JSON.stringify(Object.values(places)))]);
    return Array.isArray(answer) ? JSON.parse(String(answer[0])) : answer;
  } finally {
    await program.end();
  }
}

test('a program that a picture has taken over reaches neither this machine nor any other', async ({
  skip,
}) => {
  expect(await tried(bare, here)).toEqual(['reached', 'reached', 'reached']);
  skip(!isolation.namespaces, noNamespacesLine);
  expect(await tried(isolation, here)).toEqual(['ENETUNREACH', 'ENETUNREACH', 'ECONNREFUSED']);
  const noWay = expect.stringMatching(/^E(NETUNREACH|ADDRNOTAVAIL|AFNOSUPPORT)$/);
  expect(await tried(isolation, elsewhere)).toEqual([noWay, noWay, noWay]);
});

test.each(Object.entries({ ...here, ...elsewhere }))(
  'a watched program that asks for %s has no answer',
  async (name, place) => {
    expect(await tried(watched(bare, '/dev/null'), { [name]: place })).toBe('died');
  },
);

test('a watched program that asks for nothing has its answer', async () => {
  expect(await tried(watched(bare, '/dev/null'), {})).toEqual([]);
});
