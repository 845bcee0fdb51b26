import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';
import { initialize, message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();
const ping = message('ping');

test.each<[string, string | Buffer | undefined]>([
  ['nothing', undefined],
  ['a broken object', '{"jsonrpc": "2.0", "id": 1, "meth'],
  ['two objects', '{} {}'],
  ['text', 'hello'],
  ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
  ['a message in UTF-16', Buffer.from(JSON.stringify(ping), 'utf16le')],
])('%s is not JSON: -32700', async (_, rawBody) => {
  covers('7.2/-32700');
  const { status, json } = await rpc(harness, undefined, { key, rawBody: rawBody ?? '' });
  expect(status).toBe(400);
  expect(json).toMatchObject({ id: null, error: { code: -32700, data: { code: 'invalid_json' } } });
});

test.each<[string, unknown]>([
  ['a batch', [ping, ping]],
  ['a batch of one', [ping]],
  ['an empty batch', []],
  ['null', null],
  ['a number', 7],
  ['text', 'ping'],
  ['an empty object', {}],
  ['another version of JSON-RPC', { ...ping, jsonrpc: '1.0' }],
  ['no version', { id: 1, method: 'ping' }],
  ['a null id', { ...ping, id: null }],
  ['a broken id', { ...ping, id: 1.5 }],
  ['an object for an id', { ...ping, id: {} }],
  ['no method', { jsonrpc: '2.0', id: 1 }],
  ['a number for a method', { ...ping, method: 7 }],
  ['params that are text', { ...ping, params: 'text' }],
  ['params that are an array', { ...ping, params: [1] }],
  ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
])('%s is no message: -32600', async (_, body) => {
  covers('4.2/single-endpoint');
  const { status, json } = await rpc(harness, undefined, { key, rawBody: JSON.stringify(body) });
  expect(status).toBe(400);
  expect(json.error).toMatchObject({ code: -32600, data: { code: 'invalid_message' } });
});

test('a message that repeats a member counts as its last, and 32,000 arrays in one another are no message', async () => {
  const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"nope","method":"ping"}';
  expect((await rpc(harness, undefined, { key, rawBody: twice })).json).toEqual({
    jsonrpc: '2.0',
    id: 2,
    result: {},
  });
  const deep = '['.repeat(32_000) + ']'.repeat(32_000);
  expect((await rpc(harness, undefined, { key, rawBody: deep })).json.error.code).toBe(-32600);
  const deepParams = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`;
  expect((await rpc(harness, undefined, { key, rawBody: deepParams })).json.result).toEqual({});
});

test.each(['2025-11-25', '2025-03-26', '2026-07-28', 'x'])(
  'header MCP-Protocol-Version %s is refused, save with initialize, which says what is spoken here',
  async (version) => {
    covers('4.2/protocol-version');
    const asked = await rpc(harness, initialize(), { key, headers: { 'mcp-protocol-version': version } });
    expect(asked.json.result.protocolVersion).toBe('2025-06-18');
    for (const body of [ping, { jsonrpc: '2.0', method: 'notifications/initialized' }]) {
      const { status, json } = await rpc(harness, body, {
        key,
        headers: { 'mcp-protocol-version': version },
      });
      expect(status).toBe(400);
      expect(json.error).toMatchObject({ code: -32600, data: { code: 'unsupported_protocol_version' } });
    }
  },
);

test.each([
  ['once', '2025-06-18'],
  ['twice', ['2025-06-18', '2025-06-18']],
  ['twice in one line', '2025-06-18, 2025-06-18'],
  ['three times', '2025-06-18,2025-06-18 ,  2025-06-18'],
])(
  'header MCP-Protocol-Version 2025-06-18 is what clients send after initialize, some of them %s',
  async (_, version) => {
    covers('4.2/protocol-version');
    const headers = { 'mcp-protocol-version': version };
    expect((await rpc(harness, ping, { key, headers })).status).toBe(200);
    expect((await rpc(harness, { jsonrpc: '2.0', method: 'notifications/x' }, { key, headers })).status).toBe(
      202,
    );
  },
);

test.each([[['2025-06-18', '2025-11-25']], ['2025-11-25, 2025-06-18'], ['2025-11-25, 2025-11-25']])(
  'header MCP-Protocol-Version %j names another version and is refused',
  async (version) => {
    const { status, json } = await rpc(harness, ping, { key, headers: { 'mcp-protocol-version': version } });
    expect([status, json.error.data.code]).toEqual([400, 'unsupported_protocol_version']);
  },
);
