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

type Row = {
  status: number;
  type: ErrorType;
  /** For the caller; never repeats what was sent. */
  message: string;
  /** For whoever reads the log. */
  internal: string;
};

/**
 * The one catalogue of errors of both interfaces (specification 7; decisions 16 and 24). Status 200: only the agent interface has
 * it, where HTTP went well.
 */
export const errors = {
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    message: 'The body is not valid JSON.',
    internal: 'JSON.parse or UTF-8 decoding refused the body',
  },
  malformed_request: {
    status: 400,
    type: 'invalid_request_error',
    message: 'This is not a well-formed HTTP request.',
    internal: 'the HTTP parser refused the request, it lacks a Host, or its sender hung up half-way',
  },
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'No API key was sent. Send it in the header Authorization: Bearer <API_KEY>.',
    internal: 'no Authorization header',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key is unknown or has been revoked.',
    internal: 'no such hash, the key was revoked, or the header holds no key of ours',
  },
  expired_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key has expired.',
    internal: 'the key was good until its expires_at',
  },
  insufficient_scope: {
    status: 403,
    type: 'authentication_error',
    message: 'The API key does not have the scope that this operation needs.',
    internal: "the key's grants lack the row's",
  },
  not_sandbox: {
    status: 403,
    type: 'invalid_request_error',
    message: 'This operation exists only in sandbox: use a key with the prefix svc_test_.',
    internal: 'a live key called a row that is sandbox only',
  },
  not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is nothing at this path.',
    internal: 'no route has this path',
  },
  webhook_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no such webhook endpoint.',
    internal: "no such id among the organisation's endpoints, or it is no uuid",
  },
  delivery_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no such delivery to this webhook endpoint.',
    internal: "no such id among the endpoint's deliveries, or it is no uuid",
  },
  verification_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no such verification.',
    internal: "no such id in the key's organisation and environment, or it is no uuid",
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: 'This path does not know that method; the Allow header lists those it knows.',
    internal: 'a route has this path but not this method',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    message: 'The request took too long to arrive: 10 seconds for its headers, 30 for all of it.',
    internal: 'headersTimeout or requestTimeout of the server passed',
  },
  already_completed: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The verification is already completed; it stays unchanged.',
    internal: 'the row was completed before, or by another request at the same time',
  },
  webhook_inactive: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The webhook endpoint is deactivated; nothing is sent to it.',
    internal: 'a test or a resend to an endpoint whose active is false',
  },
  event_expired: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The event is too old to be sent again: its body is kept for 30 days.',
    internal: 'housekeeping emptied the body of the event, see limits.eventBodyRetentionDays',
  },
  body_too_large: {
    status: 413,
    type: 'invalid_request_error',
    message: 'The body is larger than 64 KiB.',
    internal: 'more than limits.bodySizeBytesMax',
  },
  origin_not_allowed: {
    status: 403,
    type: 'invalid_request_error',
    message: 'Pages of this origin may not call the agent interface.',
    internal: 'the header Origin is not in MCP_ALLOWED_ORIGINS',
  },
  invalid_message: {
    status: 400,
    type: 'invalid_request_error',
    message:
      'The body must be one JSON-RPC 2.0 message and no batch: jsonrpc, method, params that are an object, and an id that is a string or an integer.',
    internal: 'no JSON-RPC 2.0 message, or a batch',
  },
  unsupported_protocol_version: {
    status: 400,
    type: 'invalid_request_error',
    message:
      'The header MCP-Protocol-Version must be the version that initialize answers with, or be left out.',
    internal: 'MCP-Protocol-Version names another version',
  },
  unknown_method: {
    status: 200,
    type: 'invalid_request_error',
    message: 'There is no such method.',
    internal: 'no such JSON-RPC method',
  },
  invalid_params: {
    status: 200,
    type: 'invalid_request_error',
    message: 'The params do not fit the method.',
    internal: 'params do not fit the method',
  },
  unknown_tool: {
    status: 200,
    type: 'invalid_request_error',
    message: 'With this key there is no such tool; tools/list names those there are.',
    internal: "no such tool, or not in the key's environment",
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: 'Send the body as Content-Type: application/json, in UTF-8.',
    internal: 'a body with another type, charset or encoding than JSON in UTF-8',
  },
  invalid_parameter: {
    status: 422,
    type: 'invalid_request_error',
    message: 'A parameter is invalid.',
    internal: 'the schema of the row refused body, query or header',
  },
  invalid_cursor: {
    status: 422,
    type: 'invalid_request_error',
    message: 'starting_after must be the id of a row that this list has.',
    internal: 'starting_after is no row of this organisation and environment',
  },
  invalid_url: {
    status: 422,
    type: 'invalid_request_error',
    message:
      'url must be a public https URL of at most 2048 characters, on port 443 or 1024 to 65535, without user name or fragment.',
    internal: 'the rules for urls of webhooks refused it',
  },
  too_many_webhooks: {
    status: 422,
    type: 'invalid_request_error',
    message: 'The organisation already has 500 active webhook endpoints; delete one first.',
    internal: 'limits.activeWebhooksMax reached',
  },
  idempotency_key_reused: {
    status: 422,
    type: 'idempotency_error',
    message: 'This Idempotency-Key was used before with a different request.',
    internal: 'the stored fingerprint differs',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    message: 'Too many requests in this minute. Wait as many seconds as the header Retry-After says.',
    internal: 'the window of the key, or of the address for requests without a good key, is used up',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    message: 'The headers are larger than 16 KiB.',
    internal: "Node's limit for headers",
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    message: 'Something went wrong on our side. Quote the request id when you report it.',
    internal: 'an error that nobody foresaw: its class and place stand in the log under this request id',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    message: 'The outcome of this request is unknown. Repeat it with the same Idempotency-Key to find out.',
    internal: 'Postgres or Temporal did not answer in time',
  },
} as const satisfies Record<string, Row>;
export type ErrorCode = keyof typeof errors;

/** A refusal for the caller: a row of the catalogue, and for invalid input a sentence that names the field. */
export class Problem implements Error {
  readonly name = 'Problem';
  readonly code: ErrorCode;
  readonly message: string;

  constructor(code: ErrorCode, message: string = errors[code].message) {
    this.code = code;
    this.message = message;
  }
}
// An Error without a stack. Nobody asks where a refusal came from, and `super()` would spend most of its time on that.
Object.setPrototypeOf(Problem.prototype, Error.prototype);

/** Specification 7.1. */
export const ErrorBody = z.strictObject({
  error: z.strictObject({
    type: z.enum(errorTypes),
    code: z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]).describe('What a program decides by.'),
    message: z.string().describe('For a developer to read; its wording may change.'),
    request_id: z
      .string()
      .startsWith('req_')
      .describe('Also in the header X-Request-Id. Quote it when you ask us something.'),
  }),
});
export type ErrorBody = z.output<typeof ErrorBody>;
