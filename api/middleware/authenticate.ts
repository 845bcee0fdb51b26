import { authenticate, type Caller } from '#services/keys/authenticate.ts';
import type { DoorContext } from '../door-context.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { isWithinLimit } from './rate-limit.ts';

/** Who calls (specification 5), and whether that caller may ask for more in this minute; if not, it is refused here. */
export async function isAdmitted(ctx: DoorContext, koa: ApiContext): Promise<boolean> {
  const caller = await authenticate(ctx, koa.get('Authorization'));
  koa.state.caller = caller;
  return isWithinLimit(ctx, koa, caller);
}

export function callerOf({ caller }: ApiState): Caller {
  if (caller === undefined) throw new Error('a route without authentication asked for its caller');
  return caller;
}
