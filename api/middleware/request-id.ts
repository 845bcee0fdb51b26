import type { Middleware } from 'koa';
import { newPublicId } from '#platform/crypto.ts';
import type { ApiState } from '../state.ts';

/** Names every request; always our own name, never one that was sent (specification 4, 7.1). */
export const requestId: Middleware<ApiState> = async (koa, next) => {
  koa.state.requestId = newPublicId('req_');
  koa.set('X-Request-Id', koa.state.requestId);
  await next();
};
