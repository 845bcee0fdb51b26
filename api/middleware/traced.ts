import type { Middleware } from 'koa';
import { inSpan } from '#platform/telemetry/tracer.ts';
import { type ApiState, routeOf } from '../state.ts';

/**
 * Starts a new trace for each request and names its span by the route. A `traceparent` header from the caller is ignored, since
 * nothing that callers send may enter our traces.
 */
export const traced: Middleware<ApiState> = (koa, next) =>
  inSpan(koa.method, { kind: 'server' }, async (span) => {
    await next();
    if (!span.isRecording()) return;
    const { requestId, action, errorCode } = koa.state;
    const { method, status } = koa;
    const route = routeOf(koa) ?? 'none';
    span.updateName(`${method} ${route}${action === undefined ? '' : ` ${action}`}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
      'request.id': requestId,
      ...(action !== undefined && { action }),
      ...(errorCode !== undefined && { 'error.type': errorCode }),
    });
  });
