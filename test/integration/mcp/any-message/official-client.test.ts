import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test.each([
  ['', {}],
  [' whose headers name the version too', { 'MCP-Protocol-Version': '2025-06-18' }],
])('the official client%s lists the tools and calls one', async (_, more) => {
  const versions: (string | null)[] = [];
  const transport = new StreamableHTTPClientTransport(new URL(`${harness.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...more } },
    fetch: (url, init) => {
      versions.push(new Headers(init?.headers).get('mcp-protocol-version'));
      return fetch(url, init);
    },
  });
  const client = new Client({ name: 'an agent', version: '1.0.0' });
  // The types of the SDK do not fit exactOptionalPropertyTypes.
  await client.connect(transport as Transport);
  const { tools } = await client.listTools();
  expect(tools).toHaveLength(7);
  const { structuredContent, isError } = await client.callTool({
    name: 'list_verifications',
    // A model writes null for what it leaves out, and the library passes it on.
    arguments: { limit: null, status: null },
  });
  expect([isError, structuredContent]).toMatchObject([false, { object: 'list' }]);
  await client.close();
  if ('MCP-Protocol-Version' in more) expect(versions).toContain('2025-06-18, 2025-06-18');
});
