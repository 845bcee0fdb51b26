import type { Middleware } from 'koa';
import { Problem } from '#contract/errors.ts';

/** HTTP/1.1 asks for a Host (RFC 9112, 3.2). */
export const wellFormed: Middleware = async (koa, next) => {
  if (koa.req.httpVersion === '1.1' && koa.req.headers.host === undefined)
    throw new Problem('malformed_request');
  await next();
};
