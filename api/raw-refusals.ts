import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '#contract/error-body.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { newPublicId } from '#platform/crypto/crypto.ts';
import type { RateLimits, RateWindow } from '#platform/limits/rate-limits.ts';
import { addressBucket } from './client-address.ts';
import type { GuardedRequest } from './guarded-request.ts';
import { retryAfterSeconds } from './middleware/errors.ts';
import { bucketOfAddress, rateLimitHeadersOf } from './middleware/rate-limit.ts';
import { safeHeadersOf } from './middleware/safe-headers.ts';
import type { Asked, RefusalContent, RefusalForm, RefusalPages } from './refusal-pages.ts';

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

/** The newest request of a connection, its answer, and the answer to the request before it. */
type Newest = { request: GuardedRequest; response: ServerResponse; before: ServerResponse | undefined };

/**
 * Refuses what no route can answer: bytes that Node could not read as a request, a request for a tunnel, and a body that must not
 * go on. The answer has the form of every other error (specification 7.1), or is a page where a person asked. It waits until earlier
 * requests on the connection are answered, so that it is not taken for one of their answers.
 */
export function rawRefusals(
  rateLimits: RateLimits,
  pagesOf: RefusalPages = () => undefined,
  formOf: RefusalForm = () => undefined,
) {
  const newest = new WeakMap<Duplex, Newest>();
  const refused = new WeakSet<Duplex>();

  const refusal = (code: ErrorCode, window: RateWindow, asked: Asked): string => {
    const { message } = errors[code];
    const requestId = newPublicId('req_');
    const content =
      pagesOf(asked)?.(code) ?? formOf({ code, message }, asked, requestId) ?? asJson(code, requestId);
    return answerOf(code, content, { 'X-Request-Id': requestId, ...rateLimitHeadersOf(window) });
  };

  const refuse = async (fault: ParserFault, socket: Duplex) => {
    const code = codeOfFault(fault);
    const bucket = bucketOfAddress(addressBucket((socket as Socket).remoteAddress));
    const window = await rateLimits.peek(...bucket);
    const asked = askedIn(fault, newest.get(socket)?.request);
    const isOwed = await isAnswerOwed(newest.get(socket));
    if (socket.writable) endSoon(socket, isOwed ? refusal(code, window, asked) : undefined);
  };

  const refuseBody = async (code: ErrorCode, request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const window = await rateLimits.peek(...bucketOfAddress(addressBucket(socket.remoteAddress)));
    // If the rest of the body has arrived in the meantime, the request is not refused.
    if (code === 'request_timeout' && request.complete) return void refused.delete(socket);
    const before = newest.get(socket)?.before;
    if (before !== undefined) await whenSent(before);
    if (response.headersSent) await whenSent(response);
    if (socket.writable) endSoon(socket, response.headersSent ? undefined : refusal(code, window, request));
  };

  /**
   * A person on a slow line gets the time that a photo needs, as long as the guard of the body lets it go on. Node reports a request
   * that is late once, so the connection ends with its answer.
   */
  const isPatientWith = ({ request, response }: Newest): boolean => {
    if (request.complete || response.headersSent || pagesOf(request) === undefined) return false;
    request.endsWithAnswer = true;
    return true;
  };

  return {
    /** Must be called for every request that Node could read. */
    follow(request: GuardedRequest, response: ServerResponse): void {
      const { socket } = request;
      newest.set(socket, { request, response, before: newest.get(socket)?.response });
    },
    refuse(fault: ParserFault, socket: Duplex): void {
      // This connection has been refused already, so later errors on it are ignored.
      if (refused.has(socket)) return;
      const last = newest.get(socket);
      if (codeOfFault(fault) === 'request_timeout' && last !== undefined && isPatientWith(last)) return;
      refused.add(socket);
      if (!socket.writable) return void socket.destroy();
      refuse(fault, socket).catch(() => socket.destroy());
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

/** An error of Node's parser. Node adds the bytes in which the fault is, and how many of them it could read. */
export type ParserFault = Partial<NodeJS.ErrnoException> & { rawPacket?: Buffer; bytesParsed?: number };

function codeOfFault({ code }: ParserFault): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}

/** The bytes of a line that are looked at, and those of the headers after it. They may be text of any kind. */
const searched = { line: 2_048, headers: 16_384 } as const;

/**
 * Returns what is known of the request with the fault. A fault in a body belongs to the newest request. Else it is the last request
 * that begins in the bytes before the fault. If none begins there, its beginning came earlier and nobody has it. The person who sent
 * the newest request of this connection then most likely sent this one.
 */
function askedIn({ rawPacket, bytesParsed = 0 }: ParserFault, request: GuardedRequest | undefined): Asked {
  if (rawPacket === undefined || request?.complete === false) return request ?? { headers: {} };
  const text = rawPacket.subarray(0, bytesParsed + searched.line).toString('latin1');
  const begun = [...text.matchAll(/(?<=^|\n)([\w-]{1,20}) ([^\s]{1,2048})/g)];
  const last = begun.findLast(({ index }) => index <= bytesParsed);
  if (last === undefined) return request ?? { headers: {} };
  const [, method, url] = last;
  const headers = rawPacket.subarray(last.index, last.index + searched.headers).toString('latin1');
  const language = /\naccept-language:([^\r\n]{0,200})/i.exec(headers)?.[1];
  const origin = /\norigin:([^\r\n]{0,200})/i.exec(headers)?.[1]?.trim();
  return { method, url, headers: { 'accept-language': language, origin } };
}

function answerOf(code: ErrorCode, { headers: ofContent, body }: RefusalContent, known: object): string {
  const { status } = errors[code];
  const headers = {
    ...known,
    ...safeHeadersOf,
    ...(status === 503 && { 'Retry-After': retryAfterSeconds }),
    ...ofContent,
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

function asJson(code: ErrorCode, requestId: string): RefusalContent {
  const { type, message } = errors[code];
  const body = JSON.stringify({ error: { type, code, message, request_id: requestId } } satisfies ErrorBody);
  return { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body };
}
