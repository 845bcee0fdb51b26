import type { Middleware } from 'koa';

/** Answers are for their caller alone and are what they say they are; a page that is none has nothing to load or to be framed. */
export const safeHeadersOf = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;

/** What every answer carries; pages put a policy of their own in place of this one. */
export const safeHeaders: Middleware = (koa, next) => {
  for (const [name, value] of headers) koa.res.setHeader(name, value);
  return next();
};

const headers = Object.entries(safeHeadersOf);
