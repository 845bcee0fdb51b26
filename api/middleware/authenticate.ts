import type { Middleware } from 'koa';
import type { Grant } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import type { DoorContext } from '#services/context.ts';
import { authenticate, type Caller } from '#services/keys/authenticate.ts';
import type { ApiState } from '../state.ts';

/** Specification 5: who calls. */
export const authenticated =
  (ctx: DoorContext): Middleware<ApiState> =>
  async (koa, next) => {
    koa.state.caller = await authenticate(ctx, koa.get('Authorization'));
    await next();
  };

/** What the caller may do: first the scope (specification 5.4), then the environment (rule 3 of 4.1; decision 8). */
export const authorised =
  (grant: Grant, sandboxOnly: boolean): Middleware<ApiState> =>
  async (koa, next) => {
    const { grants, scope } = callerOf(koa.state);
    if (!grants.includes(grant)) throw new Problem('insufficient_scope');
    if (sandboxOnly && scope.environment !== 'sandbox') throw new Problem('not_sandbox');
    await next();
  };

export function callerOf({ caller }: ApiState): Caller {
  if (caller === undefined) throw new Error('a route without authentication asked for its caller');
  return caller;
}
