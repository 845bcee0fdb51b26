import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Cidr } from '#platform/config.ts';
import { StartFault } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';
import type { RateLimits } from '#platform/rate-limits.ts';
import type { Context } from '#services/context.ts';
import { createKeyCache } from '#services/keys/key-cache.ts';
import { createRequestLog } from '#services/request-log/request-log.ts';
import { createApp } from './app.ts';
import { clientAddress } from './client-address.ts';
import { watchDoors } from './figures.ts';
import { judge } from './middleware/well-formed.ts';
import { codeOfFault, refusals } from './unread.ts';

const drainMs = 12_000;

/** How long a connection may take over each thing, and how many there may be. */
export type ConnectionLimits = {
  /** Until all headers of a request are in. */
  headersMs: number;
  /** Until all of a request is in. */
  requestMs: number;
  /** Between two requests: longer than the proxies in front keep theirs, commonly a minute, or they meet closed ones. */
  idleMs: number;
  /** How often slow ones are looked for. */
  checkEveryMs: number;
  /** Beyond these a new connection is closed unheard, so that files and memory last for those there are. */
  connectionsMax: number;
};

const usualLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  checkEveryMs: 1_000,
  connectionsMax: 10_000,
};

export type RunningApi = {
  port: number;
  /** Takes no new requests, answers those under way, and closes. */
  stop(): Promise<void>;
};

export type ApiParts = {
  ctx: Context;
  log: Log;
  rateLimits: RateLimits;
  /** Proxies whose X-Forwarded-For is believed. */
  trustProxy: readonly Cidr[];
  /** Origins whose pages may call the agent interface. */
  mcpAllowedOrigins: readonly string[];
  host: string;
  port: number;
  connections?: ConnectionLimits;
};

export async function startApi({
  ctx,
  log,
  rateLimits,
  trustProxy,
  mcpAllowedOrigins,
  host,
  port,
  connections = usualLimits,
}: ApiParts): Promise<RunningApi> {
  const requestLog = createRequestLog(ctx, log);
  const doorCtx = { ...ctx, keyCache: createKeyCache(ctx.clock), rateLimits, requestLog };
  watchDoors(doorCtx);
  const handle = createApp(doorCtx, {
    log,
    addressOf: clientAddress(trustProxy),
    mcpAllowedOrigins,
  }).callback();
  const { follow, refuse } = refusals(rateLimits);
  let draining = false;
  /** Connections whose last request has come: what follows on them is not carried out (RFC 9112, 9.6). */
  const ending = new WeakSet<Duplex>();
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (ending.has(request.socket)) return;
    follow(request, response);
    // Nothing is upgraded here, and Node drops what it read along with a request that asks for it.
    if (!judge(request) || draining || request.headers.upgrade !== undefined) {
      ending.add(request.socket);
      response.setHeader('Connection', 'close');
    }
    void handle(request, response);
  };
  const server = createServer(
    {
      // Node itself would answer a missing Host without a word; `wellFormed` says what is wrong.
      requireHostHeader: false,
      headersTimeout: connections.headersMs,
      requestTimeout: connections.requestMs,
      keepAliveTimeout: connections.idleMs,
      connectionsCheckingInterval: connections.checkEveryMs,
    },
    serve,
  );
  server.maxConnections = connections.connectionsMax;
  // What a request expects beyond 100-continue need not be met (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve);
  server.on('clientError', (error, socket) => refuse(codeOfFault(error), socket));
  // No tunnels; Node would hang up without a word.
  server.on('connect', (_request, socket) => refuse('malformed_request', socket));
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
      await requestLog.stop();
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
