import type { Middleware } from 'koa';
import { errors, Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Counted, RateWindow } from '#platform/rate-limits.ts';
import { authenticate, type Caller } from '#services/keys/authenticate.ts';
import type { ClientAddress } from '../client-address.ts';
import type { DoorContext } from '../door-context.ts';
import type { ApiContext, ApiState } from '../state.ts';

/** Specification 8: each request counts on its key, refused or not for what comes after (decision 15). */
export async function isWithinLimit(
  ctx: Pick<DoorContext, 'rateLimits' | 'instruments'>,
  koa: ApiContext,
  caller: Caller,
): Promise<boolean> {
  return isLetThrough(ctx, koa, await ctx.rateLimits.count(...bucketOfKey(caller)), 'key');
}

/**
 * Around every route (decision 20). A request that fails authentication counts on its client's address; whatever else was
 * not counted learns where it stands, so that every answer carries the headers of specification 4.
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
        isLetThrough(ctx, koa, await ctx.rateLimits.count(...address()), 'address')
      )
        throw error;
    } finally {
      if (!koa.state.bare && !koa.res.hasHeader('X-RateLimit-Limit')) {
        const caller = koa.state.caller ?? (await callerOfNoRoute(ctx, koa));
        show(koa, await ctx.rateLimits.peek(...(caller === undefined ? address() : bucketOfKey(caller))));
      }
    }
  };

/** A bucket and its limit a minute. */
type Bucket = [name: string, limit: number];

const bucketOfKey = ({ keyId, rateLimit }: Caller): Bucket => [
  `key:${keyId}`,
  rateLimit ?? limits.requestsPerMinute,
];

export const bucketOfAddress = (address: string): Bucket => [
  `address:${address}`,
  limits.failedAuthenticationsPerMinute,
];

/** As the headers of specification 4. */
export const rateLimitHeadersOf = ({ limit, remaining }: RateWindow) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
});

const show = (koa: ApiContext, standing: RateWindow) => koa.set(rateLimitHeadersOf(standing));

/**
 * Says where the bucket stands, and refuses what is beyond its limit. That is no exception: every function on its way would throw
 * it on, and in a flood that time counts.
 */
export function isLetThrough(
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

/** Where there is no route nobody asked who calls; a key that is no good makes no difference there. */
async function callerOfNoRoute(ctx: DoorContext, koa: ApiContext): Promise<Caller | undefined> {
  const isRouted = (koa as { _matchedRoute?: unknown })._matchedRoute !== undefined;
  if (isRouted) return undefined;
  return authenticate(ctx, koa.get('Authorization')).catch(() => undefined);
}
