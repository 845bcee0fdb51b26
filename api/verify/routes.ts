import type Router from '@koa/router';
import type { Context } from '#services/context.ts';
import { findLink } from '#services/flow/find-link.ts';
import type { ApiState } from '../state.ts';
import { contentSecurityPolicy, notOpenYet, unknownLink } from './page.ts';

/** Where a person's link leads. Opening it changes nothing: mail scanners and previews open links too (decision 6). */
export function mountVerify(router: Router<ApiState>, ctx: Context): void {
  router.get('/verify/:token', async (koa) => {
    const link = await findLink(ctx, koa.params.token ?? '');
    koa.status = link === undefined ? 404 : 200;
    koa.type = 'text/html; charset=utf-8';
    koa.set('Content-Security-Policy', contentSecurityPolicy);
    koa.body = link === undefined ? unknownLink : notOpenYet;
  });
}
