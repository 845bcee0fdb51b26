import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { initialize, message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test.each(['2025-06-18', '2025-11-25', '2024-11-05', '1999-01-01'])(
  'initialize with version %s answers with 2025-06-18 and no session',
  async (version) => {
    covers('1/agent-interface', '4.2/initialize', '4.2/protocol-version', '4.2/stateless');
    const { status, json, headers } = await rpc(harness, initialize(version), { key });
    expect(status).toBe(200);
    expect(json.result).toEqual({
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'verification-service', title: expect.any(String), version: expect.any(String) },
      instructions: expect.stringContaining('No tool returns personal data'),
    });
    expect(headers).not.toHaveProperty('mcp-session-id');
  },
);

test('no message needs another before it: tools/list works without initialize, and a session id is ignored', async () => {
  covers('4.2/stateless', '4.2/single-endpoint');
  const headers = { 'mcp-session-id': 'of-somewhere-else' };
  const { status, json } = await rpc(harness, message('tools/list'), { key, headers });
  expect(status).toBe(200);
  expect(json.result.tools.length).toBeGreaterThan(0);
});

test('ping answers an empty object', async () => {
  expect((await rpc(harness, message('ping', undefined, 'an-id'), { key })).json).toEqual({
    jsonrpc: '2.0',
    id: 'an-id',
    result: {},
  });
});

test.each([0, -1, 7, 2 ** 53 - 1, '', 'a', 'ééé', 'x'.repeat(10_000)])(
  'the answer has the id of the request (%s)',
  async (id) => {
    covers('4.2/single-endpoint');
    expect((await rpc(harness, message('ping', undefined, id), { key })).json.id).toBe(id);
  },
);

test('two requests at once with one id are each answered with their own result', async () => {
  const [pings, lists] = await Promise.all([
    Promise.all(Array.from({ length: 10 }, () => rpc(harness, message('ping', undefined, 1), { key }))),
    Promise.all(Array.from({ length: 10 }, () => rpc(harness, message('tools/list', undefined, 1), { key }))),
  ]);
  for (const { json } of pings) expect(json).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  for (const { json } of lists) expect(json.result.tools).toHaveLength(7);
});

test.each([
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/never-heard-of',
  'tools/call',
])('notification %s is accepted, without a word', async (method) => {
  const { status, text } = await rpc(harness, { jsonrpc: '2.0', method, params: {} }, { key });
  expect([status, text]).toEqual([202, '']);
});

test.each([
  'resources/list',
  'prompts/list',
  'logging/setLevel',
  'server/discover',
  '__proto__',
  'constructor',
  '',
])('method %s is unknown: -32601', async (method) => {
  covers('7.2/-32601');
  const { status, json } = await rpc(harness, message(method), { key });
  expect(status).toBe(200);
  expect(json).toMatchObject({ id: 7, error: { code: -32601, data: { code: 'unknown_method' } } });
});

test.each<[string, object | undefined]>([
  ['tools/call', undefined],
  ['tools/call', {}],
  ['tools/call', { name: 7 }],
  ['tools/call', { name: 'health', arguments: 'text' }],
  ['tools/call', { name: 'health', arguments: ['a'] }],
  ['initialize', undefined],
  ['initialize', { protocolVersion: 1, capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
  ['initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a' } }],
  ['initialize', { protocolVersion: '2025-06-18', clientInfo: { name: 'a', version: '1' } }],
])('%s with params %j is invalid: -32602', async (method, params) => {
  covers('4.2/initialize', '4.2/tools-call');
  const { status, json } = await rpc(harness, message(method, params), { key });
  expect(status).toBe(200);
  expect(json.error).toMatchObject({ code: -32602, data: { code: 'invalid_params' } });
});

test('params and arguments that are null count as absent', async () => {
  for (const [method, params] of [
    ['ping', null],
    ['tools/list', null],
    ['tools/call', { name: 'health', arguments: null }],
  ] as const) {
    const { status, json } = await rpc(harness, { ...message(method), params }, { key });
    expect([status, json.error, json.result.isError ?? false]).toEqual([200, undefined, false]);
  }
});

test.each(['2026-07-28', '2025-11-25', '2025-06-18', '2025-06-18, 2026-07-28', 'x'])(
  'under the version %s an unknown method is unknown, and not of a wrong version: -32601',
  async (version) => {
    covers('7.2/-32601');
    const headers = { 'mcp-protocol-version': version };
    const { status, json } = await rpc(harness, message('server/discover'), { key, headers });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id: 7, error: { code: -32601, data: { code: 'unknown_method' } } });
  },
);

test.each([
  'delete_webhook',
  'get_webhook',
  'create_income_check',
  '__proto__',
  'constructor',
  'toString',
  '',
])('tool %s does not exist: -32602', async (name) => {
  covers('7.2/-32602', '4.3/no-webhook-read-or-delete-tool', '4.3/no-income-check-tool');
  const { status, json } = await rpc(harness, message('tools/call', { name, arguments: {} }), { key });
  expect(status).toBe(200);
  expect(json.error).toMatchObject({ code: -32602, data: { code: 'unknown_tool' } });
});

test.each(['application/json', 'text/event-stream', '*/*', 'text/html', ''])(
  'whatever is accepted (%s), the answer is JSON',
  async (accept) => {
    const { status, json } = await rpc(harness, message('ping'), { key, headers: { accept } });
    expect([status, json.result]).toEqual([200, {}]);
  },
);

test('a call that asks to be a task, or to be told of progress, is a plain call', async () => {
  const params = { name: 'health', arguments: {}, task: { ttl: 1 }, _meta: { progressToken: 1 } };
  const { json } = await rpc(harness, message('tools/call', params), { key });
  expect(json.result.isError).toBe(false);
});

test('REST is what it was', async () => {
  covers('9/rest-unchanged-by-agent-interface');
  const { status, json } = await call(harness, 'POST', '/v1/mcp', { key, body: {} });
  expect([status, json.error.code]).toEqual([404, 'not_found']);
});
