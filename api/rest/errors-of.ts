import type { ErrorCode } from '#contract/errors.ts';
import type { KeyedRoute, Route } from './row.ts';

/** Every error code that a route can answer with. Health has none (specification 4.1). */
export const errorsOf = (row: Route): ErrorCode[] =>
  row.grant === null ? [] : [...new Set(errorsOfKeyed(row))];

const errorsOfKeyed = (row: KeyedRoute): ErrorCode[] => [
  ...(row.body === undefined ? [] : errorsOfBody),
  'malformed_request',
  'missing_api_key',
  'invalid_api_key',
  'expired_api_key',
  'insufficient_scope',
  ...(row.sandboxOnly ? (['not_sandbox'] as const) : []),
  ...(row.notFound === undefined ? [] : [row.notFound]),
  ...((row.query ?? row.body ?? row.idempotent) ? (['invalid_parameter'] as const) : []),
  ...(row.idempotent ? (['idempotency_key_reused'] as const) : []),
  ...(row.errors ?? []),
  'rate_limit_exceeded',
  'headers_too_large',
  'request_timeout',
  'internal_error',
  'service_unavailable',
];

const errorsOfBody = ['invalid_json', 'body_too_large', 'unsupported_media_type'] as const;
