import type { Middleware } from 'koa';
import { inSpan } from '#platform/telemetry/tracer.ts';
import type { ApiState } from '../state.ts';

/**
 * The request as the first span of its trace, named by its route. A trace that a caller says it belongs to is not gone on with:
 * callers are strangers, and what they send is in nobody's traces.
 */
export const traced: Middleware<ApiState> = (koa, next) =>
  inSpan(koa.method, { kind: 'server' }, async (span) => {
    await next();
    if (!span.isRecording()) return;
    const { requestId, action, errorCode } = koa.state;
    const { method, status } = koa;
    const route = String((koa as { _matchedRoute?: unknown })._matchedRoute ?? 'none');
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
