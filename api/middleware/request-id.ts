import type { Middleware } from 'koa';
import { newPublicId } from '#platform/crypto.ts';
import type { ApiState } from '../state.ts';

/** Names every request; always our own name, never one that was sent (specification 4, 7.1). */
export const requestId: Middleware<ApiState> = (koa, next) => {
  koa.state.requestId = newPublicId('req_');
  koa.res.setHeader('X-Request-Id', koa.state.requestId);
  return next();
};
