import type { Middleware } from 'koa';
import { newPublicId } from '#platform/crypto/crypto.ts';
import type { ApiState } from '../state.ts';

/** Gives every request an id of our own. An id that a caller sends is ignored (specification 4, 7.1). */
export const requestId: Middleware<ApiState> = (koa, next) => {
  koa.state.requestId = newPublicId('req_');
  koa.res.setHeader('X-Request-Id', koa.state.requestId);
  return next();
};
