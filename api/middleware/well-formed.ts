import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { Problem } from '#contract/errors.ts';

const malformed = new WeakSet<IncomingMessage>();

/** Refuses what was judged to be malformed when it came in. */
export const wellFormed: Middleware = (koa, next) => {
  if (malformed.has(koa.req)) throw new Problem('malformed_request');
  return next();
};

/** False for what the parser lets through and a proxy on the way may read otherwise than we do: its connection ends. */
export function judge(request: IncomingMessage): boolean {
  const isGood = isWellFormed(request);
  if (!isGood) malformed.add(request);
  return isGood;
}

const isWellFormed = (request: IncomingMessage): boolean =>
  ['1.1', '1.0'].includes(request.httpVersion) &&
  hasOneHost(request) &&
  isOnceAtMost(request, 'authorization') &&
  isOnceAtMost(request, 'content-type') &&
  hasKnownFraming(request) &&
  // A target has no fragment (RFC 9112, 3.2).
  !request.url?.includes('#');

/** Of the codings only chunked is read, and HTTP/1.0 has none (RFC 9112, 6.1). */
function hasKnownFraming({ headers, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding'];
  return coding === undefined || (httpVersion === '1.1' && coding.toLowerCase() === 'chunked');
}

/** HTTP/1.1 asks for a Host, and never for two or one that is none (RFC 9112, 3.2). */
function hasOneHost(request: IncomingMessage): boolean {
  const { host } = request.headers;
  if (host === undefined) return request.httpVersion === '1.0';
  return isOnceAtMost(request, 'host') && hostForm.test(host);
}

const hostForm = /^([\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(:\d*)?$/i;

/** Of a repeated header Node keeps the first, others the last. */
function isOnceAtMost({ rawHeaders }: IncomingMessage, name: string): boolean {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? '';
    if (each.length === name.length && each.toLowerCase() === name) found += 1;
  }
  return found <= 1;
}
