import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import type { Cidr } from '#platform/config.ts';
import { newPublicId } from '#platform/crypto.ts';
import { StartFault } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';
import type { RateLimits, Standing } from '#platform/rate-limits.ts';
import type { Context } from '#services/context.ts';
import { createKeyCache } from '#services/keys/key-cache.ts';
import { createRequestLog } from '#services/request-log/request-log.ts';
import { createApp } from './app.ts';
import { addressBucket, clientAddress } from './client-address.ts';
import { watchDoors } from './figures.ts';
import { bucketOfAddress, rateLimitHeadersOf } from './middleware/rate-limit.ts';

const drainMs = 12_000;

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
};

export async function startApi({
  ctx,
  log,
  rateLimits,
  trustProxy,
  mcpAllowedOrigins,
  host,
  port,
}: ApiParts): Promise<RunningApi> {
  const requestLog = createRequestLog(ctx, log);
  const doorCtx = { ...ctx, keyCache: createKeyCache(ctx.clock), rateLimits, requestLog };
  watchDoors(doorCtx);
  const handle = createApp(doorCtx, {
    log,
    addressOf: clientAddress(trustProxy),
    mcpAllowedOrigins,
  }).callback();
  let draining = false;
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (draining) response.setHeader('Connection', 'close');
    void handle(request, response);
  };
  // Node itself would answer a missing Host without a word; `wellFormed` says what is wrong.
  const server = createServer({ requireHostHeader: false }, serve);
  // What a request expects beyond 100-continue need not be met (RFC 9110, 10.1.1).
  server.on('checkExpectation', serve);
  server.on('clientError', refuseUnread(rateLimits));
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
      await requestLog.stop();
    },
  };
}

/** What never became a request (malformed, or with headers too large) is answered like every other error (specification 7.1). */
function refuseUnread(rateLimits: RateLimits) {
  const refused = new WeakSet<Duplex>();
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    // What else comes on this connection is part of the same fault.
    if (refused.has(socket)) return;
    refused.add(socket);
    const bucket = bucketOfAddress(addressBucket((socket as Socket).remoteAddress));
    rateLimits.peek(...bucket).then(
      (standing) => socket.end(refusal(error, standing)),
      () => socket.destroy(),
    );
  };
}

function refusal({ code: fault }: NodeJS.ErrnoException, standing: Standing): string {
  const code: ErrorCode = fault === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_request';
  const { status, type, message } = errors[code];
  const requestId = newPublicId('req_');
  const body = JSON.stringify({ error: { type, code, message, request_id: requestId } } satisfies ErrorBody);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    ...rateLimitHeadersOf(standing),
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
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
