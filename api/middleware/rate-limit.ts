import type { Middleware } from 'koa';
import { errors, Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Counted, RateWindow } from '#platform/rate-limits.ts';
import { authenticate, type Caller } from '#services/keys/authenticate.ts';
import type { ClientAddress } from '../client-address.ts';
import type { DoorContext } from '../door-context.ts';
import { type ApiContext, type ApiState, routeOf } from '../state.ts';

/** Counts a request on its key, even if it is refused later for another reason (specification 8; decision 15). */
export async function countRequest(
  ctx: Pick<DoorContext, 'rateLimits' | 'instruments'>,
  koa: ApiContext,
  caller: Caller,
): Promise<boolean> {
  return applyLimit(ctx, koa, await ctx.rateLimits.count(...bucketOfKey(caller)), 'key');
}

/**
 * Counts a request that fails authentication on its client's address (decision 20). Any other request that was not counted only reads
 * its window, so that every answer carries the headers of specification 4.
 */
export const rateLimitHeaders =
  (ctx: DoorContext, addressOf: ClientAddress): Middleware<ApiState> =>
  async (koa, next) => {
    const address = () => bucketOfAddress(addressOf(koa.req));
    try {
      await next();
    } catch (error) {
      if (
        !failedAuthentication(error) ||
        applyLimit(ctx, koa, await ctx.rateLimits.count(...address()), 'address')
      )
        throw error;
    } finally {
      if (!koa.state.bare && !koa.res.hasHeader('X-RateLimit-Limit')) {
        const caller = koa.state.caller ?? (await callerIfUnrouted(ctx, koa));
        show(koa, await ctx.rateLimits.peek(...(caller === undefined ? address() : bucketOfKey(caller))));
      }
    }
  };

/** Whose requests are counted together, and how many of them a minute may have. */
type Bucket = [name: string, limit: number];

const bucketOfKey = ({ keyId, rateLimit }: Caller): Bucket => [
  `key:${keyId}`,
  rateLimit ?? limits.requestsPerMinute,
];

export const bucketOfAddress = (address: string): Bucket => [
  `address:${address}`,
  limits.failedAuthenticationsPerMinute,
];

/** The headers of specification 4. */
export const rateLimitHeadersOf = ({ limit, remaining }: RateWindow) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
});

const show = (koa: ApiContext, window: RateWindow) => koa.set(rateLimitHeadersOf(window));

/**
 * Sets the rate limit headers, and returns false if the request is over the limit. This refusal is a field of the state and not a
 * thrown Problem: throwing it through every async function on the way costs time exactly when a flood arrives.
 */
export function applyLimit(
  { instruments }: Pick<DoorContext, 'instruments'>,
  koa: ApiContext,
  counted: Counted,
  of: 'key' | 'address' | 'link',
): boolean {
  show(koa, counted);
  if (!counted.exceeded) return true;
  instruments.rateLimitRefusals.add(1, { of });
  koa.set('Retry-After', String(counted.retryAfterSeconds));
  koa.state.refused = 'rate_limit_exceeded';
  return false;
}

const failedAuthentication = (error: unknown) =>
  error instanceof Problem && errors[error.code].status === 401;

/** The caller of a path without a route, where nothing has authenticated yet. An invalid key counts as no key there. */
async function callerIfUnrouted(ctx: DoorContext, koa: ApiContext): Promise<Caller | undefined> {
  if (routeOf(koa) !== undefined) return undefined;
  return authenticate(ctx, koa.get('Authorization')).catch(() => undefined);
}
