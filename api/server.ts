import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartFault } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';
import type { Context } from '#services/context.ts';
import { createApp } from './app.ts';

const drainMs = 12_000;

export type RunningApi = {
  port: number;
  /** Takes no new requests, answers those under way, and closes. */
  stop(): Promise<void>;
};

export type ApiParts = { ctx: Context; log: Log; host: string; port: number; version: string };

export async function startApi({ ctx, log, host, port, version }: ApiParts): Promise<RunningApi> {
  const handle = createApp(ctx, log, version).callback();
  let draining = false;
  const server = createServer((request, response) => {
    if (draining) response.setHeader('Connection', 'close');
    void handle(request, response);
  });
  server.requestTimeout = 30_000;
  server.headersTimeout = 10_000;
  await listen(server, host, port);

  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      draining = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearTimeout(late);
    },
  };
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new StartFault(
              `Port ${port} on ${host} is in use. Stop what uses it, or choose another: PORT=${port + 1} npm start`,
            )
          : new StartFault(`Cannot listen on ${host}, port ${port} (${error.code}). Check HOST and PORT.`),
      ),
    );
    server.listen(port, host, resolve);
  });
}
