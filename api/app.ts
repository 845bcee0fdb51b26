import Router from '@koa/router';
import Koa from 'koa';
import type { Log } from '#platform/log.ts';
import type { ClientAddress } from './client-address.ts';
import type { DoorContext } from './door-context.ts';
import { mountAgents } from './mcp/endpoint.ts';
import { accessLog } from './middleware/access-log.ts';
import { errorBodies } from './middleware/errors.ts';
import { rateLimitHeaders } from './middleware/rate-limit.ts';
import { requestId } from './middleware/request-id.ts';
import { safeHeaders } from './middleware/safe-headers.ts';
import { sentTogether } from './middleware/sent-together.ts';
import { traced } from './middleware/traced.ts';
import { wellFormed } from './middleware/well-formed.ts';
import { mountDocs } from './rest/docs.ts';
import { mount } from './rest/mount.ts';
import { routes } from './rest/routes.ts';
import { mountStatus } from './rest/status.ts';
import type { ApiState } from './state.ts';
import { mountVerify } from './verify/routes.ts';

export type AppParts = { log: Log; addressOf: ClientAddress; mcpAllowedOrigins: readonly string[] };

/** A request's journey, one line each. */
export function createApp(ctx: DoorContext, { log, addressOf, mcpAllowedOrigins }: AppParts): Koa<ApiState> {
  // A path that differs in case or by a last slash is another path, also to idempotency's fingerprint.
  const router = new Router<ApiState>({ sensitive: true, strict: true });
  mountStatus(router, ctx);
  mount(router, routes, ctx);
  mountVerify(router, ctx);
  mountAgents(router, ctx, { log, allowedOrigins: mcpAllowedOrigins });
  mountDocs(router, routes);

  const app = new Koa<ApiState>();
  app.use(sentTogether);
  app.use(requestId);
  app.use(traced);
  app.use(safeHeaders);
  app.use(accessLog(log, ctx));
  app.use(errorBodies(log));
  app.use(rateLimitHeaders(ctx, addressOf));
  app.use(wellFormed);
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.on('error', (error) => {
    if (!hungUp(error)) log.error({ err: error }, 'unforeseen error while answering');
  });
  return app;
}

/** Whoever leaves before the answer is through is no fault of ours, and could fill the log with errors. */
const hungUp = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';
