import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { expect, inject, test } from 'vitest';
import { openStore } from '#store/database/connection.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { rowsIn } from '#test/support/rows/rows.ts';
import { createDatabase } from '#test/support/servers/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'tls-'));
atTheEnd(() => rmSync(folder, { recursive: true }));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, inject('receiverTls').ca);

const { url } = await createDatabase({ migrated: true });
const { port } = new URL(url);
const encrypted = await startEncrypted(Number(port));
const urlOf = (parameters: string, ofPort = encrypted.port) => {
  const own = new URL(url);
  own.hostname = 'localhost';
  own.port = String(ofPort);
  return `${own.href}?${parameters}`;
};

/** Takes connections with TLS, and passes them on to Postgres in clear. A client without TLS is refused. */
async function startEncrypted(postgresPort: number) {
  const { cert, key } = inject('receiverTls');
  const seen = { encrypted: 0, clear: 0 };
  const sockets = new Set<Socket>();
  const server = createServer(async (socket) => {
    sockets.add(socket.on('error', () => undefined));
    const [first] = (await once(socket, 'data')) as [Buffer];
    // The request of the protocol for TLS: a length of 8 and this code.
    if (first.length !== 8 || first.readInt32BE(4) !== 80_877_103) {
      seen.clear += 1;
      return socket.destroy();
    }
    socket.write('S');
    const opened = new TLSSocket(socket, { isServer: true, cert, key }).on('error', () => undefined);
    opened.once('secure', () => {
      seen.encrypted += 1;
      const postgres = connect(postgresPort, '127.0.0.1').on('error', () => undefined);
      sockets.add(postgres);
      opened.pipe(postgres).pipe(opened);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { seen, port: (server.address() as { port: number }).port };
}

async function ask(databaseUrl: string) {
  const store = await openStore(databaseUrl, 1);
  try {
    return await rowsIn(store)`select 1 as found`;
  } finally {
    await store.close();
  }
}

test('with sslmode=verify-full and the authority, everything goes through TLS', async () => {
  expect(await ask(urlOf(`sslmode=verify-full&sslrootcert=${caFile}`))).toEqual([{ found: 1 }]);
  expect(encrypted.seen).toEqual({ encrypted: 1, clear: 0 });
});

test('a server whose authority is unknown gets nothing', async () => {
  await expect(ask(urlOf('sslmode=verify-full'))).rejects.toThrow(/certificate/);
  expect(encrypted.seen.clear).toBe(0);
});

test('a server without TLS gets nothing', async () => {
  await expect(ask(urlOf('sslmode=verify-full', Number(port)))).rejects.toThrow(/does not support SSL/);
});

test('an authority that cannot be read ends the start with one line, and the URL is not repeated', async () => {
  const opened = openStore(urlOf('sslmode=verify-full&sslrootcert=/nowhere/ca.pem'), 1);
  await expect(opened).rejects.toMatchObject({
    exitCode: 78,
    message: 'A file that DATABASE_URL names for TLS cannot be read.',
  });
});
