import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import { newPublicId } from '#platform/crypto.ts';
import type { RateLimits, RateWindow } from '#platform/rate-limits.ts';
import { addressBucket } from './client-address.ts';
import { bucketOfAddress, rateLimitHeadersOf } from './middleware/rate-limit.ts';
import { safeHeadersOf } from './middleware/safe-headers.ts';

/** How long a refused connection stays open, so that its caller can read the answer. */
const lingerMs = 2_000;

/**
 * Sends `lastBytes`, if given, and ends our side of the connection. The connection closes after `lingerMs`, so that the caller can
 * read them.
 */
export function endSoon(socket: Duplex, lastBytes?: string): void {
  setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.end(lastBytes);
}

/** Writes the refusal of a request of a person, as a page. Undefined if the request is not one of a person. */
export type RefusalPage = (code: ErrorCode, request: IncomingMessage) => Content | undefined;
type Content = { headers: Record<string, string>; body: string };

/** The newest request of a connection, its answer, and the answer to the request before it. */
type Newest = { request: IncomingMessage; response: ServerResponse; before: ServerResponse | undefined };

/**
 * Refuses what no route can answer: bytes that Node could not read as a request, a request for a tunnel, and a body that must not
 * go on. The answer has the form of every other error (specification 7.1). It waits until earlier requests on the connection are
 * answered, so that it is not taken for one of their answers.
 */
export function rawRefusals(rateLimits: RateLimits, pageOf: RefusalPage = () => undefined) {
  const newest = new WeakMap<Duplex, Newest>();
  const refused = new WeakSet<Duplex>();

  const refuse = async (code: ErrorCode, socket: Duplex) => {
    const bucket = bucketOfAddress(addressBucket((socket as Socket).remoteAddress));
    const window = await rateLimits.peek(...bucket);
    const refusedRequest = newest.get(socket)?.request;
    const isOwed = await isAnswerOwed(newest.get(socket));
    const page = refusedRequest?.complete === false ? pageOf(code, refusedRequest) : undefined;
    if (socket.writable) endSoon(socket, isOwed ? refusal(code, window, page) : undefined);
  };

  const refuseBody = async (code: ErrorCode, request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const window = await rateLimits.peek(...bucketOfAddress(addressBucket(socket.remoteAddress)));
    // If the rest of the body has arrived in the meantime, the request is not refused.
    if (code === 'request_timeout' && request.complete) return void refused.delete(socket);
    const before = newest.get(socket)?.before;
    if (before !== undefined) await whenSent(before);
    if (response.headersSent) await whenSent(response);
    const page = pageOf(code, request);
    if (socket.writable) endSoon(socket, response.headersSent ? undefined : refusal(code, window, page));
  };

  return {
    /** Must be called for every request that Node could read. */
    follow(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request;
      newest.set(socket, { request, response, before: newest.get(socket)?.response });
    },
    refuse(code: ErrorCode, socket: Duplex): void {
      // This connection has been refused already, so later errors on it are ignored.
      if (refused.has(socket)) return;
      refused.add(socket);
      if (!socket.writable) return void socket.destroy();
      refuse(code, socket).catch(() => socket.destroy());
    },
    /** Ends the connection of a request whose body must not go on. If the request has no answer yet, sends the refusal first. */
    refuseBody(code: ErrorCode, request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request;
      if (refused.has(socket)) return;
      refused.add(socket);
      refuseBody(code, request, response).catch(() => socket.destroy());
    },
  };
}

/**
 * Waits for earlier answers, then returns true if the broken bytes still need an answer. If the fault is inside a body, it belongs
 * to the request of that body, which may have been answered already.
 */
async function isAnswerOwed(newest: Newest | undefined): Promise<boolean> {
  if (newest === undefined) return true;
  const { request, response, before } = newest;
  if (before !== undefined) await whenSent(before);
  if (!request.complete && !response.headersSent) return true;
  await whenSent(response);
  return request.complete;
}

const whenSent = (response: ServerResponse) =>
  new Promise<void>((resolve) => {
    if (response.writableFinished || response.destroyed) resolve();
    else response.once('close', resolve);
  });

export function codeOfFault({ code }: NodeJS.ErrnoException): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}

function refusal(code: ErrorCode, window: RateWindow, page: Content | undefined): string {
  const { status } = errors[code];
  const requestId = newPublicId('req_');
  const { headers: ofContent, body } = page ?? asJson(code, requestId);
  const headers = {
    'X-Request-Id': requestId,
    ...rateLimitHeadersOf(window),
    ...safeHeadersOf,
    ...ofContent,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

function asJson(code: ErrorCode, requestId: string): Content {
  const { type, message } = errors[code];
  const body = JSON.stringify({ error: { type, code, message, request_id: requestId } } satisfies ErrorBody);
  return { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body };
}
