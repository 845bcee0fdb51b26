import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import { newPublicId } from '#platform/crypto.ts';
import type { RateLimits, RateWindow } from '#platform/rate-limits.ts';
import { addressBucket } from './client-address.ts';
import { bucketOfAddress, rateLimitHeadersOf } from './middleware/rate-limit.ts';
import { safeHeadersOf } from './middleware/safe-headers.ts';

/** How long a refused connection may take to read why, before it is cut. */
const lingerMs = 2_000;

/** The newest request of a connection, and the answer that goes out before its own. */
type Newest = { request: IncomingMessage; response: ServerResponse; before: ServerResponse | undefined };

/**
 * What never became a request (malformed, too slow, or with headers too large) is answered like every other error
 * (specification 7.1). Its answer waits for those to the requests before it, so that nobody takes it for one of theirs.
 */
export function refusals(rateLimits: RateLimits) {
  const newest = new WeakMap<Duplex, Newest>();
  const refused = new WeakSet<Duplex>();

  const refuse = async (code: ErrorCode, socket: Duplex) => {
    const bucket = bucketOfAddress(addressBucket((socket as Socket).remoteAddress));
    const standing = await rateLimits.peek(...bucket);
    const isOwed = await turnOf(newest.get(socket));
    if (!socket.writable) return;
    setTimeout(() => socket.destroy(), lingerMs).unref();
    socket.end(isOwed ? refusal(code, standing) : undefined);
  };

  return {
    follow(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request;
      newest.set(socket, { request, response, before: newest.get(socket)?.response });
    },
    refuse(code: ErrorCode, socket: Duplex): void {
      // What else comes on this connection is part of the same fault, and is read over until the connection is cut.
      if (refused.has(socket)) return;
      refused.add(socket);
      if (!socket.writable) return void socket.destroy();
      refuse(code, socket).catch(() => socket.destroy());
    },
  };
}

/**
 * Waits for the answers that go first, and says whether one is owed then: a fault after a whole request is no part of it; one
 * inside a request's body is, and that may have its answer already.
 */
async function turnOf(newest: Newest | undefined): Promise<boolean> {
  if (newest === undefined) return true;
  const { request, response, before } = newest;
  if (before !== undefined) await isOut(before);
  if (!request.complete && !response.headersSent) return true;
  await isOut(response);
  return request.complete;
}

const isOut = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    if (response.writableFinished || response.destroyed) resolve();
    else response.once('close', resolve);
  });

export function codeOfFault({ code }: NodeJS.ErrnoException): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}

function refusal(code: ErrorCode, standing: RateWindow): string {
  const { status, type, message } = errors[code];
  const requestId = newPublicId('req_');
  const body = JSON.stringify({ error: { type, code, message, request_id: requestId } } satisfies ErrorBody);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    ...rateLimitHeadersOf(standing),
    ...safeHeadersOf,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
