import type { Middleware } from 'koa';
import { errors, Problem } from '#contract/errors.ts';
import { limits } from '#contract/limits.ts';
import type { Counted, RateWindow } from '#platform/limits/rate-limits.ts';
import { authenticate, type KeyHolder } from '#services/keys/authenticate.ts';
import type { ClientAddress } from '../client-address.ts';
import type { ServerContext } from '../server-context.ts';
import { type ApiContext, type ApiState, routeOf } from '../state.ts';

/** Counts a request on its key, even if it is refused later for another reason (specification 8; decision 15). */
export async function countRequest(
  ctx: Pick<ServerContext, 'rateLimits' | 'instruments'>,
  koa: ApiContext,
  holder: KeyHolder,
): Promise<boolean> {
  return applyLimit(ctx, koa, await ctx.rateLimits.count(...bucketOfKey(holder)), 'key');
}

/**
 * A request that fails authentication is counted for the address of its client (decision 20). If a request was not counted, its
 * answer has the headers of specification 4 too. These headers then show the current count of the caller's key. If the caller is
 * not known, they show the current count of the client's address.
 */
export const rateLimitHeaders =
  (ctx: ServerContext, addressOf: ClientAddress): Middleware<ApiState> =>
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
        const holder = koa.state.keyHolder ?? (await holderIfUnrouted(ctx, koa));
        show(koa, await ctx.rateLimits.peek(...(holder === undefined ? address() : bucketOfKey(holder))));
      }
    }
  };

/** A name under which requests are counted together, and the number of requests that the name may have in a minute. */
type Bucket = [name: string, limit: number];

const bucketOfKey = ({ keyId, rateLimit }: KeyHolder): Bucket => [
  `key:${keyId}`,
  rateLimit ?? limits.requestsPerMinute,
];

export const bucketOfAddress = (address: string): Bucket => [
  `address:${address}`,
  limits.failedAuthenticationsPerMinute,
];

/** The rate limit headers of an answer (specification 4). */
export const rateLimitHeadersOf = ({ limit, remaining }: RateWindow) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
});

const show = (koa: ApiContext, window: RateWindow) => koa.set(rateLimitHeadersOf(window));

/**
 * Sets the rate limit headers, and returns false if the request is over the limit. The refusal is a field of the state and not a
 * thrown Problem, since throwing through many async functions is slow during a flood of requests.
 */
export function applyLimit(
  { instruments }: Pick<ServerContext, 'instruments'>,
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

/**
 * If the path has no route, returns the holder of the key of the request, because no route has authenticated it. Here an invalid key has the
 * same effect as no key.
 */
async function holderIfUnrouted(ctx: ServerContext, koa: ApiContext): Promise<KeyHolder | undefined> {
  if (routeOf(koa) !== undefined) return undefined;
  return authenticate(ctx, koa.get('Authorization')).catch(() => undefined);
}
