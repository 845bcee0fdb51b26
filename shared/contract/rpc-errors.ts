import { type ErrorCode, errors } from './errors.ts';

/** The JSON-RPC code of each error that the agent interface answers with (specification 7.2; decision 24). */
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

/** Of what has no code of its own, most of which a tool tells in its result instead. */
export const internalError = -32603;

export const rpcCodeOf = (code: ErrorCode): number => rpcCodes[code] ?? internalError;

/** What an agent is told where the catalogue's text speaks of what only REST has. */
const agentMessages: Partial<Record<ErrorCode, string>> = {
  service_unavailable:
    'The outcome of this call is unknown. Look with list_verifications or list_webhooks before you repeat it.',
};

/** The text of an error for an agent; a problem with a sentence of its own keeps it. */
export const agentMessage = ({ code, message }: { code: ErrorCode; message: string }): string =>
  message === errors[code].message ? (agentMessages[code] ?? message) : message;
