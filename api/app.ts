import type { IncomingMessage } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import type { Log } from '#platform/log.ts';
import type { ClientAddress } from './client-address.ts';
import { answersToAgents, preflight } from './mcp/answers.ts';
import { mountAgents } from './mcp/endpoint.ts';
import { accessLog } from './middleware/access-log.ts';
import { batchAnswers } from './middleware/batch-answers.ts';
import { errorBodies } from './middleware/errors.ts';
import { rateLimitHeaders } from './middleware/rate-limit.ts';
import { refusalsAsPages } from './middleware/refusal-pages.ts';
import { requestId } from './middleware/request-id.ts';
import { safeHeaders } from './middleware/safe-headers.ts';
import { traced } from './middleware/traced.ts';
import { refuseMalformed } from './middleware/well-formed.ts';
import type { RefusalPages } from './refusal-pages.ts';
import { mountDocs } from './rest/docs.ts';
import { docsRefusals } from './rest/docs-refusals.ts';
import { mountFrontPage } from './rest/front-page.ts';
import { mount } from './rest/mount.ts';
import { routes } from './rest/routes.ts';
import { mountStatus } from './rest/status.ts';
import type { ServerContext } from './server-context.ts';
import type { ApiState } from './state.ts';
import { hostedRefusals } from './verify/refusal.ts';
import { mountVerify } from './verify/routes.ts';

export type AppParts = {
  log: Log;
  addressOf: ClientAddress;
  /** Returns true if the server judged the request as malformed when it arrived. */
  isMalformed: (request: IncomingMessage) => boolean;
  mcpAllowedOrigins: readonly string[];
  /** `/console` leads there. */
  consoleUrl: string | undefined;
};

/** The pages of refusals, for the addresses that people open. All others are refused in JSON. */
export const refusalPages: RefusalPages = (asked) => hostedRefusals(asked) ?? docsRefusals(asked);

export function createApp(
  ctx: ServerContext,
  { log, addressOf, isMalformed, mcpAllowedOrigins, consoleUrl }: AppParts,
): Koa<ApiState> {
  // The fingerprint of an idempotency key contains the path as sent, so the router must not treat two spellings as one path.
  const router = new Router<ApiState>({ sensitive: true, strict: true });
  mountStatus(router, ctx);
  mount(router, routes, ctx);
  mountVerify(router, ctx, addressOf);
  mountAgents(router, ctx, { log, allowedOrigins: mcpAllowedOrigins });
  mountDocs(router);
  mountFrontPage(router);
  if (consoleUrl !== undefined) router.get('/console', (koa) => koa.redirect(`${consoleUrl}/`));

  const app = new Koa<ApiState>();
  app.use(batchAnswers);
  app.use(requestId);
  app.use(traced);
  app.use(safeHeaders);
  app.use(accessLog(log, ctx));
  app.use(errorBodies(log));
  app.use(refusalsAsPages(refusalPages));
  app.use(rateLimitHeaders(ctx, addressOf));
  app.use(answersToAgents(mcpAllowedOrigins));
  app.use(refuseMalformed(isMalformed));
  app.use(preflight);
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.on('error', (error) => {
    if (!hasHungUp(error)) log.error({ err: error }, 'unforeseen error while answering');
  });
  return app;
}

/**
 * True if the caller closed the connection before the end of the answer. Such an error is not logged, so callers cannot fill the
 * log.
 */
const hasHungUp = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE';
