import type Router from '@koa/router';
import type { Context } from '#services/context.ts';
import { readiness } from '#services/health/ready.ts';
import type { ApiState } from '../state.ts';

/** GET /ready, without a key: whether this process can do its work. GET /v1/health says only that it lives. */
export function mountStatus(router: Router<ApiState>, ctx: Context): void {
  router.get('/ready', async (koa) => {
    const { ready, ...parts } = await readiness(ctx);
    koa.status = ready ? 200 : 503;
    koa.body = { status: ready ? 'ready' : 'not_ready', ...parts };
  });
}
