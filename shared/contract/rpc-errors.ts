import { type ErrorCode, errors } from './errors.ts';

/** JSON-RPC codes of errors of the agent interface (specification 7.2; decision 24). */
const rpcCodes: Partial<Record<ErrorCode, number>> = {
  invalid_json: -32700,
  invalid_message: -32600,
  unsupported_protocol_version: -32600,
  origin_not_allowed: -32600,
  method_not_allowed: -32600,
  malformed_request: -32600,
  headers_too_large: -32600,
  request_timeout: -32600,
  body_too_large: -32600,
  unsupported_media_type: -32600,
  unknown_method: -32601,
  unknown_tool: -32602,
  invalid_params: -32602,
  missing_api_key: -32001,
  invalid_api_key: -32001,
  expired_api_key: -32001,
  insufficient_scope: -32003,
  rate_limit_exceeded: -32029,
};

/** The JSON-RPC code of every error that is missing in `rpcCodes`. Tools return most of those errors in their results instead. */
export const internalError = -32603;

export const rpcCodeOf = (code: ErrorCode): number => rpcCodes[code] ?? internalError;

/** Messages for agents. Such a message replaces a text of the catalogue that mentions a feature of REST only. */
const agentMessages: Partial<Record<ErrorCode, string>> = {
  service_unavailable:
    'The outcome of this call is unknown. Check with list_verifications or list_webhooks before you repeat it.',
};

/** The message of an error for an agent. If a problem has a message of its own, the agent gets that message. */
export const agentMessage = ({ code, message }: { code: ErrorCode; message: string }): string =>
  message === errors[code].message ? (agentMessages[code] ?? message) : message;
