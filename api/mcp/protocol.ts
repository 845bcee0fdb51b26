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

/** Specification 4.2: the one version that is spoken here, and so what `initialize` always answers (decision 24). */
export const protocolVersion = '2025-06-18';

/** What is asked for, once all that can be refused was refused. */
export type Asked =
  | { method: 'initialize' | 'ping' | 'tools/list' }
  | { method: 'tools/call'; call: () => Promise<ToolResult> };

export const methods = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
] as const satisfies Asked['method'][];

/** Has the SDK answer one request: a server and a transport that live for this one message, since there are no sessions. */
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
  // Nothing holds on to either afterwards. To close them would abort what is done, at a tenth of the price of a call.
  return transport.exchange({ jsonrpc: '2.0', id, ...plainRequests[asked.method] });
}

/** To the SDK each request says no more than what is asked for: whatever else came along was read and is of no use to it. */
const plainRequests = {
  initialize: {
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: '', version: '' } },
  },
  ping: { method: 'ping' },
  'tools/list': { method: 'tools/list' },
  'tools/call': { method: 'tools/call', params: { name: '' } },
} as const satisfies Record<Asked['method'], object>;

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

/** A server makes one of its own unless it is given one, which takes longer than all the rest of an answer. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const instructions = [
  'Identity verifications (KYC). Start one with start_verification, hand its verify_url to the person, and follow it with get_verification.',
  'No tool returns personal data: work with ids.',
  'In sandbox verdicts are predictable and complete_verification stands in for the person; in live only the person completes a verification.',
  'The face comparison only indicates; a human makes the final assessment.',
].join(' ');
