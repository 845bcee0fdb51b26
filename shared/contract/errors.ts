import { z } from 'zod';

export const errorTypes = [
  'authentication_error',
  'invalid_request_error',
  'not_found_error',
  'rate_limit_error',
  'idempotency_error',
  'api_error',
] as const;
export type ErrorType = (typeof errorTypes)[number];

type Row = { status: number; type: ErrorType; message: string };

/** The one catalogue of errors (specification 7; decision 16). `message` is the public text; it never repeats what a caller sent. */
export const errors = {
  invalid_json: { status: 400, type: 'invalid_request_error', message: 'The body is not valid JSON.' },
  malformed_request: {
    status: 400,
    type: 'invalid_request_error',
    message: 'This is not a well-formed HTTP request.',
  },
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'No API key was sent. Send it in the header Authorization: Bearer <API_KEY>.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is unknown or has been revoked.',
  },
  expired_api_key: { status: 401, type: 'authentication_error', message: 'The API key has expired.' },
  insufficient_scope: {
    status: 403,
    type: 'authentication_error',
    message: 'The API key does not have the scope that this operation needs.',
  },
  not_sandbox: {
    status: 403,
    type: 'invalid_request_error',
    message: 'This operation exists only in sandbox: use a key with the prefix svc_test_.',
  },
  not_found: { status: 404, type: 'not_found_error', message: 'There is nothing at this path.' },
  webhook_not_found: { status: 404, type: 'not_found_error', message: 'There is no such webhook endpoint.' },
  verification_not_found: { status: 404, type: 'not_found_error', message: 'There is no such verification.' },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: 'This path does not know that method; the Allow header lists those it knows.',
  },
  already_completed: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The verification is already completed; it stays unchanged.',
  },
  body_too_large: { status: 413, type: 'invalid_request_error', message: 'The body is larger than 64 KiB.' },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: 'Send the body as Content-Type: application/json, in UTF-8.',
  },
  invalid_parameter: { status: 422, type: 'invalid_request_error', message: 'A parameter is invalid.' },
  invalid_cursor: {
    status: 422,
    type: 'invalid_request_error',
    message: 'starting_after must be the id of a row that this list has.',
  },
  invalid_url: {
    status: 422,
    type: 'invalid_request_error',
    message:
      'url must be a public https URL of at most 2048 characters, on port 443 or 1024 to 65535, without user name or fragment.',
  },
  too_many_webhooks: {
    status: 422,
    type: 'invalid_request_error',
    message: 'The organisation already has 500 active webhook endpoints; delete one first.',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'idempotency_error',
    message: 'This Idempotency-Key was used before with a different request.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Too many requests in this minute. Wait as many seconds as the header Retry-After says.',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    message: 'The headers are larger than 16 KiB.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    message: 'Something went wrong on our side. Quote the request id when you report it.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    message: 'The outcome of this request is unknown. Repeat it with the same Idempotency-Key to find out.',
  },
} as const satisfies Record<string, Row>;
export type ErrorCode = keyof typeof errors;

/** A refusal that reaches the caller: a catalogue row, and for invalid input the sentence that names the field at fault. */
export class Problem extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string = errors[code].message) {
    super(message);
    this.name = 'Problem';
    this.code = code;
  }
}

/** Specification 7.1. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    type: z.enum(errorTypes),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]),
    message: z.string(),
    request_id: z.string().startsWith('req_'),
  }),
});
export type ErrorBody = z.output<typeof ErrorBody>;
