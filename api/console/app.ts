import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import type { ClientAddress } from '../client-address.ts';
import { accessLog } from '../middleware/access-log.ts';
import { deadlineFromNow } from '../middleware/deadline.ts';
import { errorBodies } from '../middleware/errors.ts';
import { requestId } from '../middleware/request-id.ts';
import { safeHeaders } from '../middleware/safe-headers.ts';
import { traced } from '../middleware/traced.ts';
import { refuseMalformed } from '../middleware/well-formed.ts';
import { sendAssetOf } from '../pages/assets.ts';
import type { ApiState } from '../state.ts';
import { mountFiles } from '../verify/files.ts';
import { assets } from './assets.ts';
import { consolePages } from './pages.ts';
import type { ConsoleContext } from './request.ts';
import { errorsAsPages, servePage } from './serve-page.ts';
import { siteOf } from './session/visit.ts';

export type ConsoleAppParts = {
  addressOf: ClientAddress;
  isMalformed: (request: IncomingMessage) => boolean;
  /** The address of the console, without a trailing slash. */
  url: () => string;
};

export function createConsole(ctx: ConsoleContext, parts: ConsoleAppParts): Koa<ApiState> {
  const router = new Router<ApiState>({ sensitive: true, strict: true });
  const site = siteOf(ctx, parts);
  router.get('/assets/:name', sendAssetOf(assets));
  mountFiles(router, ctx);
  for (const page of consolePages) {
    const handler = servePage(site, page);
    if (page.method === 'GET') router.get(page.path, handler);
    else router.post(page.path, handler);
  }

  const app = new Koa<ApiState>();
  app.use(requestId);
  app.use(traced);
  app.use(safeHeaders);
  app.use(async (koa, next) => {
    // With no-referrer, a browser would send the origin `null` with a form.
    koa.set('Referrer-Policy', 'same-origin');
    koa.state.deadlineAt = deadlineFromNow();
    await next();
  });
  app.use(accessLog(ctx.log, ctx));
  app.use(errorBodies(ctx.log));
  app.use(errorsAsPages(site));
  app.use(refuseMalformed(parts.isMalformed));
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.on('error', (error) => ctx.log.error({ err: error }, 'unforeseen error while answering'));
  return app;
}
