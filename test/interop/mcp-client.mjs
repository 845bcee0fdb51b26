/**
 * Calls tools of the agent interface through a client by another author: node mcp-client.mjs NAME URL, with the key in KEY. Prints
 * the names of the tools and the results of all calls as one line of JSON. This file is plain JavaScript, since its packages do not
 * belong to the product.
 */
import { createMCPClient } from '@ai-sdk/mcp';
import * as next from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [name, url] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.KEY}` };
const me = { name: 'interop', version: '1.0.0' };

/** Programs that set the header themselves make the library send it twice. */
const doubled = { ...headers, 'MCP-Protocol-Version': '2025-06-18' };

const connect = {
  'sdk-1': () => connected(new Client(me), transportOfOne()),
  'sdk-1-doubled': () => connected(new Client(me), transportOfOne(doubled)),
  'sdk-2': () => connected(new next.Client(me), transportOfTwo()),
  'sdk-2-doubled': () => connected(new next.Client(me), transportOfTwo(doubled)),
  'sdk-2-auto': () =>
    connected(new next.Client(me, { versionNegotiation: { mode: 'auto' } }), transportOfTwo()),
  'ai-sdk': async () => {
    const client = await createMCPClient({ transport: { type: 'http', url, headers } });
    const tools = await client.tools();
    return {
      tools: Object.keys(tools),
      call: (tool, given) => tools[tool].execute(given, { toolCallId: '1', messages: [] }),
      close: () => client.close(),
    };
  },
};

const transportOfOne = (sent = headers) =>
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: sent } });
const transportOfTwo = (sent = headers) =>
  new next.StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: sent } });

async function connected(client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  return {
    tools: tools.map((tool) => tool.name),
    call: (tool, given) => client.callTool({ name: tool, arguments: given }),
    close: () => client.close(),
  };
}

const { tools, call, close } = await connect[name]();
const started = await call('start_verification', { reference: 'interop', auto_complete: false });
const { id } = started.structuredContent;
const completed = await call('complete_verification', { verification_id: id, scenario: 'review' });
const found = await call('get_verification', { verification_id: id });
const listed = await call('list_verifications', { reference: 'interop', limit: 100 });
const webhooks = await call('list_webhooks', {});
const refused = await call('complete_verification', { verification_id: id, scenario: null });
await close();
process.stdout.write(`${JSON.stringify({ tools, started, completed, found, listed, webhooks, refused })}\n`);
