import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Below those that systems give to outgoing connections: one of these would be taken before its user listens on it. */
const ports = { from: 20_000, to: 32_000 } as const;
const tries = 50;

/** A loopback port that nobody listens on now; somebody may before its user does, so users try again. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const port = randomInt(ports.from, ports.to);
    if ((await portFault(port)) === undefined) return port;
  }
  return anyPort();
}

async function anyPort(): Promise<number> {
  const server = await listenBriefly(0);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Why nobody could listen on this loopback port now (`EADDRINUSE`, `EACCES`); undefined when it is free. */
export async function portFault(port: number): Promise<string | undefined> {
  try {
    const server = await listenBriefly(port);
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

async function listenBriefly(port: number) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
