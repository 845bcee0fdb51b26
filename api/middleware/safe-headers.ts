import type { Middleware } from 'koa';

/** Security headers of every answer. The policy suits JSON: an answer loads nothing and is never shown in a frame. */
export const safeHeadersOf = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), geolocation=(), microphone=()',
} as const;

/** Sets the headers before the route runs, so that a page can replace the policy with its own. */
export const safeHeaders: Middleware = (koa, next) => {
  for (const [name, value] of headers) koa.res.setHeader(name, value);
  return next();
};

const headers = Object.entries(safeHeadersOf);
