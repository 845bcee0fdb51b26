import type Router from '@koa/router';
import { readiness } from '#services/health/ready.ts';
import { retryAfterSeconds } from '../middleware/errors.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiState } from '../state.ts';

/** GET /ready, without a key, says whether this process can do its work. GET /v1/health only says that it runs. */
export function mountStatus(router: Router<ApiState>, ctx: ServerContext): void {
  router.get('/ready', async (koa) => {
    const { ready, ...parts } = await readiness(ctx, ctx.rateLimits.redis());
    koa.status = ready ? 200 : 503;
    if (!ready) koa.set('Retry-After', retryAfterSeconds);
    koa.body = { status: ready ? 'ready' : 'not_ready', ...parts };
  });
}
