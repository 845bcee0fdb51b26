import { type ErrorCode, errors } from './errors.ts';

/** The JSON-RPC code of each error of the agent interface (specification 7.2; decision 24). */
const rpcCodes: Partial<Record<ErrorCode, number>> = {
  invalid_json: -32700,
  invalid_message: -32600,
  unsupported_protocol_version: -32600,
  origin_not_allowed: -32600,
  method_not_allowed: -32600,
  malformed_request: -32600,
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

/** The code of every other error. A tool returns most of those in its result instead. */
export const internalError = -32603;

export const rpcCodeOf = (code: ErrorCode): number => rpcCodes[code] ?? internalError;

/** Messages for agents where the text of the catalogue is about a feature that only REST has. */
const agentMessages: Partial<Record<ErrorCode, string>> = {
  service_unavailable:
    'The outcome of this call is unknown. Check with list_verifications or list_webhooks before you repeat it.',
};

/** The message of an error for an agent. A problem with its own sentence keeps it. */
export const agentMessage = ({ code, message }: { code: ErrorCode; message: string }): string =>
  message === errors[code].message ? (agentMessages[code] ?? message) : message;
