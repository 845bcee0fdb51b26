import type Router from '@koa/router';
import type { Context } from '#services/context.ts';
import { readiness } from '#services/health/ready.ts';
import type { ApiState } from '../state.ts';

/** Without a key: GET /v1/health says that this process lives (specification 4.1), GET /ready that it can do its work. */
export function mountStatus(router: Router<ApiState>, ctx: Context, version: string): void {
  router.get('/v1/health', (koa) => {
    koa.remove('X-Request-Id');
    koa.body = { status: 'ok', version };
  });
  router.get('/ready', async (koa) => {
    const { ready, ...parts } = await readiness(ctx);
    koa.status = ready ? 200 : 503;
    koa.body = { status: ready ? 'ready' : 'not_ready', ...parts };
  });
}
