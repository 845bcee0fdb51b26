import { limits } from './limits.ts';

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
  /** The text for the caller. The text never repeats a value that the caller sent. */
  message: string;
  /** The text for the log. */
  internal: string;
};

/**
 * Every error of the two interfaces (specification 7; decisions 16 and 24). Only the agent interface has errors with status 200,
 * because it answers errors of JSON-RPC with HTTP 200.
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
    message:
      'This is not a well-formed HTTP request, or it repeats a header that may come only once, such as Idempotency-Key.',
    internal: 'the HTTP parser or well-formed.ts refused the request, or the caller hung up within the body',
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
    internal: 'no row has this hash, the key was revoked, or the header holds no key of this service',
  },
  expired_api_key: {
    status: 401,
    type: 'authentication_error',
    message: 'The API key has expired.',
    internal: 'expires_at of the key has passed',
  },
  insufficient_scope: {
    status: 403,
    type: 'authentication_error',
    message: 'The API key does not have the scope that this operation needs.',
    internal: 'the grants of the key do not include the grant of the row',
  },
  not_sandbox: {
    status: 403,
    type: 'invalid_request_error',
    message: 'This operation exists only in sandbox. Use a key with the prefix svc_test_.',
    internal: 'a live key called an operation of sandbox',
  },
  not_allowed: {
    status: 403,
    type: 'invalid_request_error',
    message:
      'Your organisation does not let keys of live erase personal data. Ask the operator of the service.',
    internal: 'erase_by_key of the organisation is false',
  },
  organisation_paused: {
    status: 403,
    type: 'invalid_request_error',
    message: 'The operator of the service has paused your organisation. It can start no verification.',
    internal: 'the setting paused of the organisation is true',
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
    internal: 'the organisation has no endpoint with this id, or the id is no UUID',
  },
  delivery_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no such delivery to this webhook endpoint.',
    internal: 'the endpoint has no delivery with this id, or the id is no UUID',
  },
  verification_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no such verification.',
    internal: 'no verification of this organisation and environment has this id, or the id is no UUID',
  },
  income_check_not_found: {
    status: 404,
    type: 'not_found_error',
    message: 'There is no such income check.',
    internal: 'no income check of this organisation and environment has this id, or the id is no UUID',
  },
  method_not_allowed: {
    status: 405,
    type: 'invalid_request_error',
    message: 'This path does not support that method. The Allow header lists the methods it supports.',
    internal: 'a route has this path but not this method',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    message: 'The request arrived too slowly: its headers have 10 seconds, the whole request has 30.',
    internal: 'headersTimeout or requestTimeout of the server passed',
  },
  already_completed: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The verification is already completed, so nothing was changed.',
    internal: 'the verification was completed before, or by another request at the same time',
  },
  already_submitted: {
    status: 409,
    type: 'invalid_request_error',
    message: 'Everything was sent already, so nothing was changed. The verdict follows.',
    internal:
      'the verification was submitted before, or at the same time; or its documents came with the request, so it has no link',
  },
  erased: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The personal data of this verification were erased, so it gets no further link.',
    internal: 'erased_at of the verification is set',
  },
  too_many_links: {
    status: 409,
    type: 'invalid_request_error',
    message: `A verification has at most ${limits.linksPerVerificationMax} links. Start a new verification.`,
    internal: 'link_version has reached limits.linksPerVerificationMax',
  },
  webhook_inactive: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The webhook endpoint is deactivated, so nothing is sent to it.',
    internal: 'a test or a resend for an endpoint whose active is false',
  },
  event_expired: {
    status: 409,
    type: 'invalid_request_error',
    message: 'The event is too old to be sent again. Its body was kept for 30 days.',
    internal: 'housekeeping has removed the body of the event, see limits.eventBodyRetentionDays',
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
      'The body must be one JSON-RPC 2.0 message, not a batch. It needs jsonrpc and method; params must be an object, and id a string or an integer.',
    internal: 'no JSON-RPC 2.0 message, or a batch',
  },
  unsupported_protocol_version: {
    status: 400,
    type: 'invalid_request_error',
    message:
      'The header MCP-Protocol-Version must be absent, or name the version in the answer to initialize.',
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
    message: 'The params are not valid for this method.',
    internal: 'the schema of the method refused params',
  },
  unknown_tool: {
    status: 200,
    type: 'invalid_request_error',
    message: 'There is no such tool for this key. tools/list names those that exist.',
    internal: 'no tool has this name, or not in the environment of the key',
  },
  unsupported_media_type: {
    status: 415,
    type: 'invalid_request_error',
    message: 'Send the body as Content-Type: application/json, in UTF-8.',
    internal: 'the headers of the body name a type, charset or encoding other than JSON in UTF-8',
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
    message: 'starting_after must be the id of a row in this list.',
    internal: 'starting_after names no row of this organisation and environment',
  },
  invalid_url: {
    status: 422,
    type: 'invalid_request_error',
    message:
      'url must be a public https URL of at most 2048 characters, on port 443 or 1024 to 65535, without user name or fragment. It must be written as it is called: a host in ASCII without a final dot, an address in its usual form, a path without dot segments or backslashes.',
    internal: 'the rules for webhooks refused the url, or its text is not what would be called',
  },
  too_many_webhooks: {
    status: 422,
    type: 'invalid_request_error',
    message: 'The organisation already has 500 active webhook endpoints. Delete one first.',
    internal: 'the number of active endpoints has reached limits.activeWebhooksMax',
  },
  method_not_available: {
    status: 422,
    type: 'invalid_request_error',
    message: 'This method cannot be used in live yet. Choose another one.',
    internal: 'the row of the method says that it is unavailable in the environment of the key',
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
    message: 'Too many requests in this minute. The header Retry-After says how many seconds to wait.',
    internal: 'the rate limit of the key is reached, or that of the address for requests without a valid key',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    message: 'The headers are larger than 16 KiB.',
    internal: 'the headers exceed the limit of Node',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    message: 'Something went wrong on our side. Quote the request id when you report it.',
    internal: 'an unforeseen error; the log has its class and place under this request id',
  },
  overloaded: {
    status: 503,
    type: 'api_error',
    message: 'The service has more to do than it can carry. Nothing was begun. Repeat the request later.',
    internal: 'as many creates are in progress as admission allows, see platform/limits/admission.ts',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    message: 'The outcome of this request is unknown. Repeat it with the same Idempotency-Key to find out.',
    internal: 'Postgres or Temporal did not answer in time',
  },
} as const satisfies Record<string, Row>;
export type ErrorCode = keyof typeof errors;

/**
 * An error that is sent to the caller. Its message comes from the catalogue. For invalid input, a sentence that names the field
 * replaces that message.
 */
export class Problem implements Error {
  readonly name = 'Problem';
  readonly code: ErrorCode;
  readonly message: string;

  constructor(code: ErrorCode, message: string = errors[code].message) {
    this.code = code;
    this.message = message;
  }
}
// A Problem is an Error without a stack. Recording the stack takes most of the time that creating an Error needs, and nobody needs
// the stack of a Problem.
Object.setPrototypeOf(Problem.prototype, Error.prototype);
