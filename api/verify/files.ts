import type Router from '@koa/router';
import type { Context } from '#services/context.ts';
import { accentSheet } from '../pages/accent.ts';
import { sendAssetOf } from '../pages/assets.ts';
import { sendLogo } from '../pages/logo.ts';
import type { ApiState } from '../state.ts';
import { assets } from './assets.ts';

/** Serves the files that hosted pages load. None of them is secret. */
export function mountFiles(router: Router<ApiState>, ctx: Pick<Context, 'store'>): void {
  router.get('/verify/assets/:name', sendAssetOf(assets, accentSheet));
  router.get('/verify/logos/:name', sendLogo(ctx));
}
