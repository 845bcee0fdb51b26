import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorBody, type ErrorCode, errors } from '#contract/errors.ts';
import { newPublicId } from '#platform/crypto.ts';
import type { RateLimits, RateWindow } from '#platform/rate-limits.ts';
import { addressBucket } from './client-address.ts';
import { bucketOfAddress, rateLimitHeadersOf } from './middleware/rate-limit.ts';
import { safeHeadersOf } from './middleware/safe-headers.ts';
import type { Refusal } from './state.ts';

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

/** What is known of a refused request. Of a request that Node could not read, that is what its first packet says. */
export type Refused = { path: string; url: string; origin?: string | undefined };
export type RefusalContent = { headers: Record<string, string>; body: string };

/** Writes a refusal in another form than that of REST. Undefined if the request is not to be answered in that form. */
export type RefusalForm = (
  refusal: Refusal,
  refused: Refused,
  requestId: string,
) => RefusalContent | undefined;

/** The newest request of a connection, its answer, and the answer to the request before it. */
type Newest = { request: IncomingMessage; response: ServerResponse; before: ServerResponse | undefined };

/**
 * Refuses what no route can answer: bytes that Node could not read as a request, a request for a tunnel, and a body that must not
 * go on. The answer has the form of every other error (specification 7.1). It waits until earlier requests on the connection are
 * answered, so that it is not taken for one of their answers.
 */
export function rawRefusals(rateLimits: RateLimits, formOf: RefusalForm = () => undefined) {
  const newest = new WeakMap<Duplex, Newest>();
  const refused = new WeakSet<Duplex>();

  const refuse = async (code: ErrorCode, socket: Duplex, packet: Packet) => {
    const bucket = bucketOfAddress(addressBucket((socket as Socket).remoteAddress));
    const window = await rateLimits.peek(...bucket);
    const open = newest.get(socket)?.request;
    const isOwed = await isAnswerOwed(newest.get(socket));
    const refused = open?.complete === false ? refusedOf(open) : refusedIn(packet);
    if (socket.writable) endSoon(socket, isOwed ? refusal(code, window, refused, formOf) : undefined);
  };

  const refuseBody = async (code: ErrorCode, request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    const window = await rateLimits.peek(...bucketOfAddress(addressBucket(socket.remoteAddress)));
    // If the rest of the body has arrived in the meantime, the request is not refused.
    if (code === 'request_timeout' && request.complete) return void refused.delete(socket);
    const before = newest.get(socket)?.before;
    if (before !== undefined) await whenSent(before);
    if (response.headersSent) await whenSent(response);
    const isOwed = !response.headersSent;
    if (socket.writable)
      endSoon(socket, isOwed ? refusal(code, window, refusedOf(request), formOf) : undefined);
  };

  return {
    /** Must be called for every request that Node could read. */
    follow(request: IncomingMessage, response: ServerResponse): void {
      const { socket } = request;
      newest.set(socket, { request, response, before: newest.get(socket)?.response });
    },
    /** `packet` is what Node could not read, if it is known. */
    refuse(code: ErrorCode, socket: Duplex, packet: Packet = {}): void {
      // This connection has been refused already, so later errors on it are ignored.
      if (refused.has(socket)) return;
      refused.add(socket);
      if (!socket.writable) return void socket.destroy();
      refuse(code, socket, packet).catch(() => socket.destroy());
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

/** What Node's parser says of a packet that it could not read. */
type Packet = Partial<Error> & { rawPacket?: Buffer; bytesParsed?: number };

const headEnd = '\r\n\r\n';
const requestLine = /^[A-Z]+ ([^ ]+) HTTP\//;

/**
 * Reads the address and the origin of a request that Node could not read, so that its refusal has the form that its sender reads. The
 * request begins after the last one in the packet. If a part of it came in an earlier packet, nothing is known.
 */
function refusedIn({ rawPacket, bytesParsed = 0 }: Packet): Refused | undefined {
  const text = rawPacket?.toString('latin1') ?? '';
  const before = text.lastIndexOf(headEnd, bytesParsed - headEnd.length);
  const [head = ''] = text.slice(before === -1 ? 0 : before + headEnd.length).split(headEnd, 1);
  const [, url] = requestLine.exec(head) ?? [];
  return url === undefined
    ? undefined
    : { ...targetOf(url), origin: /^origin:[ \t]*(.*?)[ \t]*\r?$/im.exec(head)?.[1] };
}

const refusedOf = ({ url = '', headers }: IncomingMessage): Refused => ({
  ...targetOf(url),
  origin: headers.origin,
});

const targetOf = (url: string) => ({ url, path: url.split('?', 1)[0] ?? '' });

export function codeOfFault({ code }: NodeJS.ErrnoException): ErrorCode {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'malformed_request';
}

function refusal(
  code: ErrorCode,
  window: RateWindow,
  refused: Refused | undefined,
  formOf: RefusalForm,
): string {
  const { status, message } = errors[code];
  const requestId = newPublicId('req_');
  const { headers: ofContent, body } =
    (refused && formOf({ code, message }, refused, requestId)) ?? asJson(code, requestId);
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

function asJson(code: ErrorCode, requestId: string): RefusalContent {
  const { type, message } = errors[code];
  const body = JSON.stringify({ error: { type, code, message, request_id: requestId } } satisfies ErrorBody);
  return { headers: { 'Content-Type': 'application/json; charset=utf-8' }, body };
}
