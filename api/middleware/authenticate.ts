import { authenticate, type KeyHolder } from '#services/keys/authenticate.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { countRequest } from './rate-limit.ts';

/** Authenticates the caller (specification 5) and counts the request. Returns false if the caller is over its rate limit. */
export async function admit(ctx: ServerContext, koa: ApiContext): Promise<boolean> {
  const holder = await authenticate(ctx, koa.get('Authorization'));
  koa.state.keyHolder = holder;
  return countRequest(ctx, koa, holder);
}

export function keyHolderOf({ keyHolder }: ApiState): KeyHolder {
  if (keyHolder === undefined) throw new Error('a route without authentication asked for its caller');
  return keyHolder;
}
