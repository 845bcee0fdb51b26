import type { Middleware } from 'koa';

/** Answers are for their caller alone and are what they say they are. */
export const safeHeaders: Middleware = async (koa, next) => {
  koa.set('Cache-Control', 'no-store');
  koa.set('X-Content-Type-Options', 'nosniff');
  koa.set('Strict-Transport-Security', 'max-age=31536000');
  await next();
};
