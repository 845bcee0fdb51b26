import type { Middleware } from 'koa';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { ApiState } from '../state.ts';

/** One line per request. The route's pattern, not the path: a path can hold a link's token. */
export const accessLog =
  (log: Log, clock: Clock): Middleware<ApiState> =>
  async (koa, next) => {
    const startedMs = clock.monotonicMs();
    await next();
    const { requestId, caller, errorCode } = koa.state;
    const line = {
      request_id: requestId,
      method: koa.method,
      route: (koa as { _matchedRoute?: unknown })._matchedRoute ?? 'none',
      status: koa.status,
      code: errorCode,
      duration_ms: Math.round((clock.monotonicMs() - startedMs) * 10) / 10,
      key_id: caller?.keyId,
      org_id: caller?.scope.orgId,
      environment: caller?.scope.environment,
    };
    log.info(line, `${line.method} ${String(line.route)} ${line.status}`);
  };
