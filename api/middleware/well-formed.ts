import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { Problem } from '#contract/errors.ts';

/**
 * The server judges a request when it arrives, since the server also has to end the connection. This middleware only refuses a
 * request that was judged as malformed.
 */
export const refuseMalformed =
  (isMalformed: (request: IncomingMessage) => boolean): Middleware =>
  (koa, next) => {
    if (isMalformed(koa.req))
      throw new Problem(hasLargeHead(koa.req) ? 'headers_too_large' : 'malformed_request');
    return next();
  };

/** The bytes of an address and the headers after it that are accepted, and those that Node reads before it gives up. */
export const headBytesMax = { accepted: 16 * 1024, read: 32 * 1024 } as const;

/**
 * Of what Node gives up it tells only the last bytes, from which nobody sees who asked. So it reads more than is accepted, and most such
 * requests are refused like every other one.
 */
const hasLargeHead = ({ url = '', rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.reduce((sum, text) => sum + text.length, url.length) >= headBytesMax.accepted;

/** Returns false for a request that Node's parser accepts, but that a proxy in front of the API may read differently. */
export const isWellFormed = (request: IncomingMessage): boolean =>
  !hasLargeHead(request) &&
  ['1.1', '1.0'].includes(request.httpVersion) &&
  hasHost(request) &&
  repeatsNothing(request) &&
  hasKnownFraming(request) &&
  // A request target has no fragment (RFC 9112, 3.2).
  !request.url?.includes('#');

/** Node decodes the transfer coding `chunked` only. HTTP/1.0 has no transfer coding (RFC 9112, 6.1). */
function hasKnownFraming({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/** HTTP/1.1 requires a Host header, which must be valid (RFC 9112, 3.2). */
function hasHost({ headers: { host }, httpVersion }: IncomingMessage): boolean {
  return host === undefined ? httpVersion === '1.0' : hostForm.test(host);
}

const hostForm = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;

/**
 * Headers with one value (decision 15). Of a repeated one Node keeps the first value or joins all, and other software keeps the last.
 * So what a proxy judged might not be what this process reads. Node's parser itself refuses a repeated Content-Length. Headers that are
 * lists, such as Accept-Language and X-Forwarded-For, may be repeated, and so may cookies.
 */
const single = new Set([
  'authorization',
  'content-type',
  'host',
  'idempotency-key',
  'last-event-id',
  'origin',
  'sec-fetch-site',
  'x-request-id',
]);

function repeatsNothing({ rawHeaders }: IncomingMessage): boolean {
  const found: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (!single.has(name)) continue;
    if (found.includes(name)) return false;
    found.push(name);
  }
  return true;
}
