import { trace } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { errors } from '#contract/errors.ts';
import type { Log } from '#platform/log.ts';
import type { ServerContext } from '../server-context.ts';
import { type ApiState, routeOf } from '../state.ts';

/** Writes one log line for each request and records its duration. A request with a valid key is also added to the request log. */
export const accessLog =
  (
    log: Log,
    {
      clock,
      requestLog,
      instruments,
    }: Pick<ServerContext, 'clock' | 'instruments'> & Partial<Pick<ServerContext, 'requestLog'>>,
  ): Middleware<ApiState> =>
  async (koa, next) => {
    const createdAt = clock.now();
    const startedMs = clock.monotonicMs();
    await next();
    const { requestId, keyHolder, memberId, errorCode, action } = koa.state;
    const { method, status } = koa;
    const route = routeOf(koa) ?? 'none';
    const path = action === undefined ? route : `${route} ${action}`;
    const durationMs = clock.monotonicMs() - startedMs;
    instruments.requestDuration.record(durationMs / 1_000, {
      'http.request.method': methodOf(method),
      'http.route': route,
      'http.response.status_code': status,
      ...(action !== undefined && { action }),
    });
    const line = {
      request_id: requestId,
      trace_id: trace.getActiveSpan()?.spanContext().traceId,
      method,
      route,
      action,
      status,
      code: errorCode,
      cause: errorCode && errors[errorCode].internal,
      duration_ms: Math.round(durationMs * 10) / 10,
      key_id: keyHolder?.keyId,
      member_id: memberId,
      org_id: keyHolder?.caller.scope.orgId,
      environment: keyHolder?.caller.scope.environment,
    };
    log.info(line, `${method} ${path} ${status}`);
    if (keyHolder === undefined) return;
    requestLog?.add({
      requestId,
      ...keyHolder.caller.scope,
      keyId: keyHolder.keyId,
      method,
      path,
      status,
      code: errorCode ?? null,
      durationMs: Math.round(durationMs),
      createdAt,
    });
  };

const usualMethods = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS'];
/**
 * OpenTelemetry's conventions require `_OTHER` for an unusual method. Callers can choose the method, and each method becomes a new
 * time series.
 */
const methodOf = (method: string) => (usualMethods.includes(method) ? method : '_OTHER');
