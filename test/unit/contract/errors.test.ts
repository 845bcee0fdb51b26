import { expect, test } from 'vitest';
import { ErrorBody } from '#contract/error-body.ts';
import { type ErrorType, errors, errorTypes, Problem } from '#contract/errors.ts';
import { covers } from '#test/requirements.ts';

/** Copied word for word from specification 7.1. The codes that it leaves open are from decision 16. */
const table = {
  invalid_json: [400, 'invalid_request_error'],
  missing_api_key: [401, 'authentication_error'],
  invalid_api_key: [401, 'authentication_error'],
  expired_api_key: [401, 'authentication_error'],
  insufficient_scope: [403, 'authentication_error'],
  not_sandbox: [403, 'invalid_request_error'],
  not_found: [404, 'not_found_error'],
  verification_not_found: [404, 'not_found_error'],
  method_not_allowed: [405, 'invalid_request_error'],
  already_completed: [409, 'invalid_request_error'],
  delivery_not_found: [404, 'not_found_error'],
  webhook_inactive: [409, 'invalid_request_error'],
  event_expired: [409, 'invalid_request_error'],
  body_too_large: [413, 'invalid_request_error'],
  unsupported_media_type: [415, 'invalid_request_error'],
  idempotency_key_reused: [422, 'idempotency_error'],
  invalid_parameter: [422, 'invalid_request_error'],
  method_not_available: [422, 'invalid_request_error'],
  invalid_url: [422, 'invalid_request_error'],
  internal_error: [500, 'api_error'],
  service_unavailable: [503, 'api_error'],
} as const;

test.each(Object.entries(table))('%s has status and type %j', (code, row) => {
  const { status, type } = errors[code as keyof typeof table];
  expect([status, type]).toEqual(row);
});

test('the types are the six of the specification', () => {
  covers('7.1/types');
  expect([...errorTypes].sort()).toEqual([
    'api_error',
    'authentication_error',
    'idempotency_error',
    'invalid_request_error',
    'not_found_error',
    'rate_limit_error',
  ]);
});

test('the status of an error follows from its type where the specification says so', () => {
  const rows: readonly { status: number; type: ErrorType }[] = Object.values(errors);
  for (const { status, type } of rows) {
    if (type === 'not_found_error') expect(status).toBe(404);
    if (type === 'rate_limit_error') expect(status).toBe(429);
    if (type === 'idempotency_error') expect(status).toBe(422);
    expect(type === 'api_error').toBe(status >= 500);
  }
});

test('a problem is an error without a stack', () => {
  const problem = new Problem('not_found');
  expect(problem).toBeInstanceOf(Error);
  expect(String(problem)).toBe(`Problem: ${errors.not_found.message}`);
  expect(problem).not.toHaveProperty('stack');
});

test('every message is a sentence for people', () => {
  for (const { message } of Object.values(errors)) expect(message).toMatch(/^\S.+\.$/);
});

test('an error body holds the four fields of the specification and no more', () => {
  const error = { type: 'not_found_error', code: 'not_found', message: 'x', request_id: 'req_x' };
  expect(ErrorBody.safeParse({ error }).success).toBe(true);
  expect(ErrorBody.safeParse({ error: { ...error, detail: 'x' } }).success).toBe(false);
  expect(ErrorBody.safeParse({ error: { ...error, request_id: 'x' } }).success).toBe(false);
});
