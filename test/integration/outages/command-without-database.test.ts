import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';

const folder = join(import.meta.dirname, '../../../worker/commands');
const key = Buffer.alloc(32, 7).toString('base64');

async function run(databaseUrl: string, file: string, ...args: string[]) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, SECRETS_KEY: key };
  const child = spawn(process.execPath, [join(folder, file), ...args], { env });
  const exited = once(child, 'exit');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  return { stdout, stderr, code };
}

const databaseAt = (server: Server) =>
  `postgres://user:secret-password@127.0.0.1:${(server.address() as AddressInfo).port}/verification`;

async function listen(): Promise<Server> {
  const server = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.each([
  ['keys.ts', 'list', '--org', 'Acme'],
  ['usage.ts'],
  ['export.ts', '01a20c0b-2bde-79a9-a55d-f72cb1d62fa7'],
])('%s without its database', (file, ...args) => {
  const said = 'The database gave no answer. Is it running, and is DATABASE_URL right? Then try again.';

  test('a server that refuses: it says so with the code, and exits with 69', async () => {
    const server = await listen();
    const url = databaseAt(server);
    server.close();
    await once(server, 'close');
    expect(await run(url, file, ...args)).toEqual({
      stdout: '',
      stderr: `${said} (ECONNREFUSED)\n`,
      code: 69,
    });
  });

  test('a server that accepts and stays silent: it says so after its time-out, and exits with 69', async () => {
    const server = await listen();
    onTestFinished(() => void server.close());
    expect(await run(databaseAt(server), file, ...args)).toEqual({
      stdout: '',
      stderr: `${said}\n`,
      code: 69,
    });
  });
});
