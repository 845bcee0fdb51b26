import { createServer, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import { newPublicId } from '#platform/crypto.ts';
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

export type ApiParts = { ctx: Context; log: Log; host: string; port: number };

export async function startApi({ ctx, log, host, port }: ApiParts): Promise<RunningApi> {
  const handle = createApp(ctx, log).callback();
  let draining = false;
  const server = createServer((request, response) => {
    if (draining) response.setHeader('Connection', 'close');
    void handle(request, response);
  });
  server.on('clientError', refuseUnread);
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

/** What never became a request (malformed, or with headers too large) is answered like every other error (specification 7.1). */
function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const code: ErrorCode = error.code === 'HPE_HEADER_OVERFLOW' ? 'headers_too_large' : 'malformed_request';
  const { status, type, message } = errors[code];
  const requestId = newPublicId('req_');
  const body = JSON.stringify({ error: { type, code, message, request_id: requestId } } satisfies ErrorBody);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `X-Request-Id: ${requestId}\r\nCache-Control: no-store\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
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
