import { authenticate, type Caller } from '#services/keys/authenticate.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { countRequest } from './rate-limit.ts';

/** Authenticates the caller (specification 5) and counts the request. Returns false if the caller is over its rate limit. */
export async function admit(ctx: ServerContext, koa: ApiContext): Promise<boolean> {
  const caller = await authenticate(ctx, koa.get('Authorization'));
  koa.state.caller = caller;
  return countRequest(ctx, koa, caller);
}

export function callerOf({ caller }: ApiState): Caller {
  if (caller === undefined) throw new Error('a route without authentication asked for its caller');
  return caller;
}
