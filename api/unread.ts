import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import { newPublicId } from '#platform/crypto.ts';
import type { RateLimits, Standing } from '#platform/rate-limits.ts';
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
    // What else comes on this connection is part of the same fault.
    if (refused.has(socket)) return;
    refused.add(socket);
    const { owesAnswer, before } = whatIsDue(newest.get(socket));
    if (before !== undefined) await isOut(before);
    if (!socket.writable) return;
    setTimeout(() => socket.destroy(), lingerMs).unref();
    if (!owesAnswer) return void socket.end();
    const bucket = bucketOfAddress(addressBucket((socket as Socket).remoteAddress));
    socket.end(refusal(code, await rateLimits.peek(...bucket)));
  };

  return {
    follow(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request;
      newest.set(socket, { request, response, before: newest.get(socket)?.response });
    },
    refuse(code: ErrorCode, socket: Duplex): void {
      if (!socket.writable) return void socket.destroy();
      refuse(code, socket).catch(() => socket.destroy());
    },
  };
}

/** A fault after a whole request is no part of it; one inside a request's body is, and that may have its answer already. */
function whatIsDue(newest: Newest | undefined): { owesAnswer: boolean; before: ServerResponse | undefined } {
  if (newest === undefined) return { owesAnswer: true, before: undefined };
  const { request, response, before } = newest;
  if (request.complete) return { owesAnswer: true, before: response };
  return response.headersSent ? { owesAnswer: false, before: response } : { owesAnswer: true, before };
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

function refusal(code: ErrorCode, standing: Standing): string {
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
