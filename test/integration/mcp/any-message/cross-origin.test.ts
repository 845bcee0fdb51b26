import { request } from 'undici';
import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';
import { exchange, head } from '../../security/transport.ts';

const origin = 'https://app.partner-test.example';
const harness = await startHarness({
  worker: false,
  mcpAllowedOrigins: [origin, 'https://other.partner-test.example'],
});
const { url } = await harness.startApi({
  connections: { headersMs: 700, requestMs: 700, idleMs: 5_000, checkEveryMs: 100, connectionsMax: 1_000 },
});
const port = Number(new URL(url).port);
const { key } = await harness.key();
const fromPage = `Origin: ${origin}`;
const post = (...headers: string[]) =>
  head({
    method: 'POST',
    target: '/mcp',
    key,
    headers: [fromPage, 'Content-Type: application/json', ...headers],
  });

const preflight = (target: string, headers: Record<string, string>) =>
  request(`${harness.url}${target}`, { method: 'OPTIONS', headers });

const names = (header: unknown) =>
  String(header)
    .split(',')
    .map((name) => name.trim().toLowerCase());

test('a page of a listed origin may send what the libraries of clients send, and read what they read', async () => {
  const { statusCode, headers, body } = await preflight('/mcp', {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,mcp-method,mcp-protocol-version',
  });
  expect([statusCode, await body.text()]).toEqual([204, '']);
  expect([headers['access-control-allow-origin'], headers.vary]).toEqual([origin, 'Origin']);
  expect(names(headers['access-control-allow-headers'])).toEqual(
    expect.arrayContaining([
      ...['authorization', 'content-type', 'accept', 'mcp-protocol-version', 'mcp-session-id'],
      ...['mcp-method', 'mcp-name', 'last-event-id', 'cache-control', 'traceparent', 'tracestate'],
    ]),
  );
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
    expect(names(headers['access-control-allow-methods'])).toContain(method.toLowerCase());
  const answer = await rpc(harness, message('ping'), { key, headers: { origin } });
  expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, origin]);
  expect(names(answer.headers['access-control-expose-headers'])).toEqual(
    expect.arrayContaining([
      ...['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'],
      ...['www-authenticate', 'allow'],
    ]),
  );
});

const ping = JSON.stringify(message('ping'));
const call = (name: string, given: object) =>
  JSON.stringify(message('tools/call', { name, arguments: given }));

test.each<[string, number, () => Promise<Parameters<typeof rpc>[2]>]>([
  ['GET', 405, async () => ({ method: 'GET' })],
  ['HEAD', 405, async () => ({ method: 'HEAD' })],
  ['PUT', 405, async () => ({ method: 'PUT', rawBody: ping })],
  ['DELETE', 405, async () => ({ method: 'DELETE' })],
  ['a body that is not JSON', 400, async () => ({ rawBody: '{' })],
  ['no message', 400, async () => ({ rawBody: '[]' })],
  ['another version', 400, async () => ({ rawBody: ping, headers: { 'mcp-protocol-version': 'x' } })],
  ['a header twice', 400, async () => ({ rawBody: ping, headers: { 'x-request-id': ['a', 'a'] } })],
  ['no key', 401, async () => ({ rawBody: ping, key: undefined })],
  [
    'a key without the scope',
    403,
    async () => ({ rawBody: call('list_webhooks', {}), key: (await harness.key({ grants: [] })).key }),
  ],
  ['a large body', 413, async () => ({ rawBody: ' '.repeat(limits.bodySizeBytesMax + 1) })],
  ['another type of body', 415, async () => ({ rawBody: ping, headers: { 'content-type': 'text/plain' } })],
  [
    'too many requests',
    429,
    async () => {
      const { key: once } = await harness.key({ rateLimit: 1 });
      await rpc(harness, message('ping'), { key: once });
      return { rawBody: ping, key: once };
    },
  ],
])('a page of a listed origin can read why it is refused: %s, %i', async (_, status, optionsOf) => {
  const { headers: own, ...options } = { key, ...(await optionsOf()) };
  const { status: got, headers } = await rpc(harness, undefined, { ...options, headers: { origin, ...own } });
  expect([got, headers['access-control-allow-origin'], headers.vary]).toEqual([status, origin, 'Origin']);
});

test.each([
  ['two Content-Lengths', 400, post('Content-Length: 2', 'Content-Length: 2')],
  ['two lengths that contradict each other', 400, post('Content-Length: 6', 'Transfer-Encoding: chunked')],
  ['two credentials', 400, post('Authorization: Bearer x')],
  ['two hosts', 400, post('Host: other.example')],
  ['chunks that are none', 400, `${post('Transfer-Encoding: chunked')}zz\r\n`],
  ['headers of 20 KB', 431, post(`X-Long: ${'a'.repeat(20_000)}`)],
  ['a body that does not come', 408, post('Content-Length: 20')],
])(
  'a page can read a refusal of the parser too: %s, %i, as a message of JSON-RPC',
  async (_, status, bytes) => {
    const [answer, ...others] = await exchange(port, bytes);
    expect(others).toEqual([]);
    expect([answer?.status, answer?.headers.get('access-control-allow-origin')]).toEqual([status, origin]);
    expect(answer?.json).toMatchObject({
      ...{ jsonrpc: '2.0', id: null },
      error: { code: -32600, data: { request_id: answer?.headers.get('x-request-id') } },
    });
  },
);

test('after a good request in the same packet a fault has the form of its own address', async () => {
  const [first, second] = await exchange(
    port,
    head({ target: '/mcp', key }) + head({ target: '/v1/webhooks', key, headers: ['Bad Header: 1'] }),
  );
  expect(first?.json).toMatchObject({ jsonrpc: '2.0' });
  expect(second?.json).toMatchObject({ error: { type: 'invalid_request_error', code: 'malformed_request' } });
});

test('a page of any other origin reads nothing, whatever it is refused for', async () => {
  const evil = 'Origin: https://evil.example';
  const answers = [
    ...(await exchange(port, head({ target: '/mcp', headers: [evil, 'Bad Header: 1'] }))),
    ...(await exchange(port, head({ target: '/mcp', headers: [fromPage, evil] }))),
    ...(await exchange(
      port,
      head({ method: 'OPTIONS', target: '/mcp', headers: [evil, 'Connection: close'] }),
    )),
    ...(await exchange(
      port,
      head({ method: 'OPTIONS', target: '/register', headers: [evil, 'Connection: close'] }),
    )),
    ...(await exchange(port, head({ target: '/v1/webhooks', headers: [fromPage, 'Connection: close'] }))),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 405, 404, 401]);
  for (const { headers } of answers) expect([...headers.keys()].join()).not.toContain('access-control');
});
