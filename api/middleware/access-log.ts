import type { Middleware } from 'koa';
import { errors } from '#contract/errors.ts';
import type { Log } from '#platform/log.ts';
import type { DoorContext } from '#services/context.ts';
import type { ApiState } from '../state.ts';

/**
 * One line per request in the log, and one in the request log when its key was good. The route's pattern, not the path: a
 * path can hold a link's token.
 */
export const accessLog =
  (log: Log, { clock, requestLog }: Pick<DoorContext, 'clock' | 'requestLog'>): Middleware<ApiState> =>
  async (koa, next) => {
    const createdAt = clock.now();
    const startedMs = clock.monotonicMs();
    await next();
    const { requestId, caller, errorCode, action } = koa.state;
    const { method, status } = koa;
    const route = String((koa as { _matchedRoute?: unknown })._matchedRoute ?? 'none');
    const path = action === undefined ? route : `${route} ${action}`;
    const durationMs = clock.monotonicMs() - startedMs;
    const line = {
      request_id: requestId,
      method,
      route,
      action,
      status,
      code: errorCode,
      cause: errorCode && errors[errorCode].internal,
      duration_ms: Math.round(durationMs * 10) / 10,
      key_id: caller?.keyId,
      org_id: caller?.scope.orgId,
      environment: caller?.scope.environment,
    };
    log.info(line, `${method} ${path} ${status}`);
    if (caller === undefined) return;
    requestLog.add({
      requestId,
      ...caller.scope,
      keyId: caller.keyId,
      method,
      path,
      status,
      code: errorCode ?? null,
      durationMs: Math.round(durationMs),
      createdAt,
    });
  };
