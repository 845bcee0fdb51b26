import type Router from '@koa/router';
import { Problem } from '#contract/errors.ts';
import { cachedFor } from '#platform/cached.ts';
import { readiness } from '#services/health/ready.ts';
import { retryAfterSeconds } from '../middleware/errors.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiState } from '../state.ts';

/** An answer is reused for this time, because anybody may ask, and a new answer costs one query and one call to Temporal. */
const cacheMs = 1_000;

/** GET /ready, without a key, says whether this process can do its work. GET /v1/health only says that it runs. */
export function mountStatus(router: Router<ApiState>, ctx: ServerContext): void {
  const state = cachedFor(cacheMs, () => readiness(ctx, ctx.rateLimits.redis()));
  router.get('/ready', async (koa) => {
    const found = await state();
    if (found === undefined) throw new Problem('service_unavailable');
    const { ready, ...parts } = found;
    koa.status = ready ? 200 : 503;
    if (!ready) koa.set('Retry-After', retryAfterSeconds);
    koa.body = { status: ready ? 'ready' : 'not_ready', ...parts };
  });
}
