import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * These ports are below the ephemeral range. The system could assign an ephemeral port to an outgoing connection before our server
 * listens on that port.
 */
const ports = { from: 24_000, to: 32_000 } as const;
const tries = 50;

/**
 * Returns a loopback port that is free now. Another process may bind that port first, so the caller must be
 * ready to try another port.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const port = ports.from + Math.floor(Math.random() * (ports.to - ports.from));
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

/**
 * Tries to listen on a loopback port and returns the error code, such as `EADDRINUSE` or `EACCES`. Returns undefined if the port is
 * free.
 */
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
