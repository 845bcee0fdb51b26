/**
 * This file alone uses the MCP SDK, which is a required part of this product. The SDK writes the answers, so their form is that of
 * the official library of the protocol. Key, limits, method and parameters are checked before `respond` is called. The call of a
 * tool checks its arguments itself.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  type JSONRPCMessage,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { version } from '#platform/version.ts';
import type { ToolResult } from './call.ts';
import type { DescribedTool } from './describe.ts';
import type { RpcId } from './message.ts';

/** The only supported version, so `initialize` always answers with it (specification 4.2; decision 24). */
export const protocolVersion = '2025-06-18';

/** A request whose key, limits, method and parameters were checked. */
export type Asked =
  | { method: 'initialize' | 'ping' | 'tools/list' }
  | { method: 'tools/call'; call: () => Promise<ToolResult> };

export const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
] as const satisfies Asked['method'][];

/** Answers one request. There are no sessions, so the server of the SDK and its transport serve this one message only. */
export async function respond(id: RpcId, asked: Asked, tools: DescribedTool[]): Promise<object> {
  const transport = new OneMessage();
  const server = new Server(serverInfo, { capabilities: { tools: {} }, instructions, jsonSchemaValidator });
  server.setRequestHandler(InitializeRequestSchema, () => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo,
    instructions,
  }));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  if (asked.method === 'tools/call') server.setRequestHandler(CallToolRequestSchema, asked.call);
  await server.connect(transport);
  // Server and transport are not closed. Nothing refers to them afterwards, and closing them takes a tenth of the time of a call.
  return transport.exchange({ jsonrpc: '2.0', id, ...plainRequests[asked.method] });
}

/** The SDK receives the method with the fewest params that it accepts. `message.ts` has already read the real params. */
const plainRequests = {
  initialize: {
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: '', version: '' } },
  },
  ping: { method: 'ping' },
  'tools/list': { method: 'tools/list' },
  'tools/call': { method: 'tools/call', params: { name: '' } },
} as const satisfies Record<Asked['method'], object>;

/** Passes one request to the server of the SDK and returns the answer. */
class OneMessage implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>;
  readonly #answer = Promise.withResolvers<JSONRPCMessage>();

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    if ('error' in message) this.#answer.reject(new Error('the MCP SDK refused what was checked before'));
    else this.#answer.resolve(message);
  }

  async close(): Promise<void> {}

  exchange(request: JSONRPCMessage): Promise<JSONRPCMessage> {
    this.onmessage?.(request);
    return this.#answer.promise;
  }
}

const serverInfo = { name: 'verification-service', title: 'Verification service', version };

/** All servers share this validator. A server without one creates its own, which takes longer than the rest of an answer. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const instructions = [
  'Identity verifications (KYC). Start one with start_verification, give its verify_url to the person, and read its state with get_verification.',
  'No tool returns personal data: work with ids.',
  'In sandbox, verdicts are predictable and complete_verification acts in place of the person. In live, only the person can complete a verification.',
  'The face comparison is only an indication; a human makes the final assessment.',
].join(' ');
