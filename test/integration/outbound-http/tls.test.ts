import { randomUUID } from 'node:crypto';
import type { TlsOptions } from 'node:tls';
import { generate } from 'selfsigned';
import { beforeAll, expect, inject, test } from 'vitest';
import {
  allCloseAfterEach,
  answered,
  newSender,
  onRequest,
  outcomeOf,
  post,
  tcpReceiver,
  tlsReceiver,
  whileOpen,
} from './receivers.ts';

allCloseAfterEach();

type Pair = { cert: string; key: string };
type Kind = {
  issuer?: Pair | undefined;
  names?: string[];
  fromDay?: number;
  days?: number;
  isAuthority?: boolean;
  isRsa?: boolean;
};

const dayMs = 24 * 60 * 60 * 1_000;

async function certificate({
  issuer,
  names,
  fromDay = -1,
  days = 30,
  isAuthority,
  isRsa,
}: Kind): Promise<Pair> {
  const made = await generate([{ name: 'commonName', value: names?.[0] ?? `authority ${randomUUID()}` }], {
    ...(isRsa ? { keyType: 'rsa', keySize: 2_048 } : { keyType: 'ec', curve: 'P-256' }),
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() + fromDay * dayMs),
    notAfterDate: new Date(Date.now() + (fromDay + days) * dayMs),
    ...(issuer && { ca: { cert: issuer.cert, key: issuer.key } }),
    extensions: [
      { name: 'basicConstraints', cA: isAuthority === true, critical: true },
      ...(names
        ? [{ name: 'subjectAltName' as const, altNames: names.map((value) => ({ type: 2 as const, value })) }]
        : []),
    ],
  });
  return { cert: made.cert, key: made.private };
}

let authority: Pair;
let intermediate: Pair;
beforeAll(async () => {
  authority = await certificate({ isAuthority: true });
  intermediate = await certificate({ isAuthority: true, issuer: authority });
});

const sender = () => newSender({ extraCa: () => [authority.cert] });
const failed = (reason: string, phase: string) => ({ answered: false, reason, phase });

async function outcomeWith(tls: TlsOptions, by = sender()) {
  let requests = 0;
  const { url, port } = await tlsReceiver((socket) => {
    onRequest(socket, () => {
      requests += 1;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    });
  }, tls);
  return { outcome: outcomeOf(await post(url, by)), requests: () => requests, port };
}

const local = ['localhost'];

test('a certificate of a trusted authority is taken, by way of an intermediate too', async () => {
  expect((await outcomeWith(await certificate({ issuer: authority, names: local }))).outcome).toEqual(
    answered(200),
  );
  const { cert, key } = await certificate({ issuer: intermediate, names: local });
  expect((await outcomeWith({ cert: `${cert}\n${intermediate.cert}`, key })).outcome).toEqual(answered(200));
});

test.each<[string, () => Promise<TlsOptions>]>([
  ['self-signed', () => certificate({ names: local })],
  [
    'of an unknown authority',
    async () => certificate({ issuer: await certificate({ isAuthority: true }), names: local }),
  ],
  ['expired', () => certificate({ issuer: authority, names: local, fromDay: -9, days: 5 })],
  ['not valid yet', () => certificate({ issuer: authority, names: local, fromDay: 2 })],
  ['of another name', () => certificate({ issuer: authority, names: ['hooks.partner.example'] })],
  ['without any name', () => certificate({ issuer: authority })],
  ['without its intermediate', () => certificate({ issuer: intermediate, names: local })],
  [
    'offered by TLS 1.1 alone',
    async () => ({
      ...(await certificate({ issuer: authority, names: local })),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    }),
  ],
])('a certificate that is %s is tls_failed, and nothing is sent', async (_, tls) => {
  const { outcome, requests } = await outcomeWith(await tls());
  expect(outcome).toEqual(failed('tls_failed', 'tls'));
  expect(requests()).toBe(0);
});

test.each([
  ['ECDHE-RSA-AES128-GCM-SHA256', answered(200)],
  // Here the receiver chooses the field, and one handshake can take a second of processor time.
  ['DHE-RSA-AES128-GCM-SHA256', failed('tls_failed', 'tls')],
] as const)('no receiver can slow a handshake by its key exchange: %s', async (ciphers, expected) => {
  const issuer = await certificate({ isAuthority: true, isRsa: true });
  const pair = await certificate({ issuer, names: local, isRsa: true });
  const tls: TlsOptions = { ...pair, ciphers, dhparam: 'auto', maxVersion: 'TLSv1.2' };
  expect((await outcomeWith(tls, newSender({ extraCa: () => [issuer.cert] }))).outcome).toEqual(expected);
});

test('TLS 1.2 is enough', async () => {
  const pair = await certificate({ issuer: authority, names: local });
  expect((await outcomeWith({ ...pair, maxVersion: 'TLSv1.2' })).outcome).toEqual(answered(200));
});

test.each([
  ['TLSv1.2', failed('tls_failed', 'tls')],
  // In TLS 1.3 the client has finished the handshake before the server checks the client's certificate.
  ['TLSv1.3', failed('tls_failed', 'headers')],
] as const)('a server that wants a certificate of ours gets none, under %s', async (maxVersion, expected) => {
  const pair = await certificate({ issuer: authority, names: local });
  const { outcome } = await outcomeWith({ ...pair, maxVersion, requestCert: true, ca: [authority.cert] });
  expect(outcome).toEqual(expected);
});

test('an address has to be in the certificate too', async () => {
  const { outcome, port } = await outcomeWith(inject('receiverTls'), newSender());
  expect(outcome).toEqual(answered(200));
  expect(outcomeOf(await post(`https://127.0.0.1:${port}/`))).toEqual(answered(200));
  expect(outcomeOf(await post(`https://127.0.0.2:${port}/`))).toMatchObject({ answered: false });
});

test.each<[string, Parameters<typeof tcpReceiver>[0], object]>([
  [
    'answers in the clear',
    (socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\n\r\n')),
    failed('tls_failed', 'tls'),
  ],
  ['never answers', (socket) => socket.resume(), failed('timed_out', 'tls')],
  [
    'drips its part of the handshake',
    (socket) => {
      const handshake = [0x16, 3, 3, 0x40, 0, 2, 0, 0x3f, 0xfc];
      whileOpen(socket.resume(), 50, () => socket.write(Buffer.from([handshake.shift() ?? 0])));
    },
    failed('timed_out', 'tls'),
  ],
  [
    'ends the handshake',
    (socket) => socket.once('data', () => socket.end()),
    failed('connection_lost', 'tls'),
  ],
  [
    'resets the handshake',
    (socket) => socket.once('data', () => socket.resetAndDestroy()),
    failed('connection_lost', 'tls'),
  ],
])('a server that %s is told apart', async (_, play, outcome) => {
  const { url } = await tcpReceiver(play);
  expect(outcomeOf(await post(url))).toEqual(outcome);
});

test('hundreds of bad certificates leave nothing behind', async () => {
  const { url } = await tlsReceiver(() => undefined, await certificate({ names: local }));
  const by = sender();
  const memory = () => process.memoryUsage().heapUsed / 1024 / 1024;
  await Promise.all(Array.from({ length: 50 }, () => post(url, by)));
  const before = memory();
  for (let round = 0; round < 20; round++) {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => post(url, by)));
    for (const posted of outcomes) expect(posted).toMatchObject({ answered: false });
  }
  expect(memory() - before).toBeLessThan(60);
});
