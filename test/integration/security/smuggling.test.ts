import { beforeEach, expect, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import {
  countWebhooks,
  exchange,
  exchangeAndGoOn,
  expectDocumentedRefusal,
  head,
  makesWebhook,
  openConnection,
  startApiProgram,
  webhookBody,
} from './transport.ts';

const harness = await startHarness({ worker: false });
const api = await startApiProgram(harness);
const { key } = await harness.key();
const smuggled = makesWebhook(key);

const post = (rest: string, ...headers: string[]) =>
  head({ method: 'POST', key, headers: ['Content-Type: application/json', ...headers] }) + rest;
const get = (rest: string, ...headers: string[]) => head({ key, headers }) + rest;
const chunked = 'Transfer-Encoding: chunked';
const inChunks = `${webhookBody.length.toString(16)}\r\n${webhookBody}\r\n0\r\n`;
const length = `Content-Length: ${smuggled.length}`;

let before = 0;
beforeEach(async () => {
  before = await countWebhooks(harness);
});
const made = async () => (await countWebhooks(harness)) - before;

/**
 * Requests that a proxy and the API behind it could read differently. In nearly all of them, `smuggled` is what an attacker wants
 * the API to read as a separate request. If the API did so, it would create a webhook endpoint. None may exist afterwards.
 */
test.each<[string, string]>([
  ['Content-Length and Transfer-Encoding', post(`0\r\n\r\n${smuggled}`, 'Content-Length: 6', chunked)],
  ['Transfer-Encoding and Content-Length', post(`0\r\n\r\n${smuggled}`, chunked, length)],
  ['two Content-Lengths that agree', post(`{}${smuggled}`, 'Content-Length: 2', 'Content-Length: 2')],
  ['two Content-Lengths that differ', post(`{}${smuggled}`, 'Content-Length: 2', length)],
  ['a list of Content-Lengths', post(`{}${smuggled}`, 'Content-Length: 2, 2')],
  ['a Content-Length with a sign', post(`{}${smuggled}`, 'Content-Length: +2')],
  ['a negative Content-Length', post(`{}${smuggled}`, 'Content-Length: -2')],
  ['a hexadecimal Content-Length', post(`{}${smuggled}`, 'Content-Length: 0x2')],
  ['a Content-Length beyond 64 bits', post(`{}${smuggled}`, 'Content-Length: 99999999999999999999')],
  ['a coding that only looks like chunked', post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: xchunked')],
  ['chunked before the last coding', post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: chunked, identity')],
  ['chunked twice', post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: chunked, chunked')],
  ['two Transfer-Encodings', post(`0\r\n\r\n${smuggled}`, chunked, 'Transfer-Encoding: identity')],
  ['a vertical tab before chunked', post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: \x0bchunked')],
  ['a folded header', post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding:\r\n chunked')],
  ['a space before a colon', post(`{}${smuggled}`, 'Transfer-Encoding : chunked', 'Content-Length: 2')],
  ['a space before the colon of the length', post(`{}${smuggled}`, 'Content-Length : 2')],
  ['a space in a header name', get(smuggled, 'Content Length: 2')],
  ['a line that begins with a space', head({ host: ' X-First: 1' }) + smuggled],
  ['a chunked body in HTTP/1.0', post(`0\r\n\r\n${smuggled}`, chunked).replace('HTTP/1.1', 'HTTP/1.0')],
  ['a bare LF in a chunk extension', post(`2;\n{}\r\n0\r\n\r\n${smuggled}`, chunked)],
  ['20,000 bytes of chunk extension', post(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n${smuggled}`, chunked)],
  ['chunks that end with a bare LF', post(`2\n{}\n0\n\n${smuggled}`, chunked)],
  ['a chunk that is longer than its size', post(`2\r\n{}xx0\r\n\r\n${smuggled}`, chunked)],
  ['a negative chunk size', post(`-2\r\n{}\r\n0\r\n\r\n${smuggled}`, chunked)],
  ['a chunk size with 0x', post(`0x2\r\n{}\r\n0\r\n\r\n${smuggled}`, chunked)],
  ['a chunk size beyond 64 bits', post(`fffffffffffffffff2\r\n{}\r\n0\r\n\r\n${smuggled}`, chunked)],
  ['a space after a chunk size', post(`2 \r\n{}\r\n0\r\n\r\n${smuggled}`, chunked)],
  ['a length among the trailers', post(`${inChunks}Content-Length: 5\r\n\r\n`, chunked)],
  ['lines that end with a bare LF', head({ key }).replaceAll('\r\n', '\n') + smuggled],
  ['one line that ends with a bare LF', get(smuggled, `X-Any: 1\n${length}`)],
  ['headers that end with a bare LF', head({ key }).replace(/\r\n\r\n$/, '\r\n\n') + smuggled],
  ['a CR in a header value', get(smuggled, `X-Any: 1\r${chunked}`)],
  ['a NUL in a header value', get(smuggled, 'X-Any: 1\x000')],
  ['a NUL in a header name', get(smuggled, 'X-\x00Any: 10')],
  ['a tab in the request line', get('').replace('GET /', 'GET\t/') + smuggled],
  ['a bare CR in the target', head({ key, target: '/v1/webhooks\rX' }) + smuggled],
  ['bytes beyond ASCII in the target', head({ key, target: '/v1/webh\xf6oks' }) + smuggled],
  ['HTTP/2 by prior knowledge', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${smuggled}`],
  ['TLS to the plain port', `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${smuggled}`],
  // The parser accepts the requests from here on. `api/middleware/well-formed.ts` refuses all of them except CONNECT, which the
  // server refuses.
  ['a coding besides chunked', post(`0\r\n\r\n${smuggled}`, 'Transfer-Encoding: gzip, chunked')],
  ['two hosts', get(smuggled, 'Host: other.partner.example')],
  ['two credentials', get(smuggled, 'Authorization: Bearer of-somebody-else')],
  ['two idempotency keys', get(smuggled, 'Idempotency-Key: k1', 'Idempotency-Key: k1')],
  ['two idempotency keys, spelt otherwise', get(smuggled, 'idempotency-key: k1', 'IDEMPOTENCY-KEY: k2')],
  ['two request ids', get(smuggled, 'X-Request-Id: a', 'X-Request-Id: a')],
  ['two origins', get(smuggled, 'Origin: https://a.example', 'Origin: https://b.example')],
  ['two fetch sites', get(smuggled, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site')],
  ['two ids of a last event', get(smuggled, 'Last-Event-ID: 1', 'Last-Event-ID: 2')],
  ['two equal hosts', get(smuggled, 'Host: api.partner.example')],
  ['two equal credentials', get(smuggled, `Authorization: Bearer ${key}`)],
  ['two content types', post(`{}${smuggled}`, 'Content-Type: text/plain', 'Content-Length: 2')],
  ['HTTP/2.0 in the request line', head({ key, version: 'HTTP/2.0' }) + smuggled],
  ['HTTP/1.2 in the request line', head({ key, version: 'HTTP/1.2' }) + smuggled],
  ['HTTP/0.9', `GET /v1/webhooks\r\n\r\n${smuggled}`],
  ['a fragment in the target', head({ key, target: '/v1/webhooks#/../health' }) + smuggled],
  ['no host', head({ key, host: '' }) + smuggled],
  ['a host with a path', head({ key, host: 'Host: api.partner.example/v1/health' }) + smuggled],
  ['a host with user information', head({ key, host: 'Host: api.partner.example@evil.example' }) + smuggled],
  ['a host with a space', head({ key, host: 'Host: api.partner.example evil.example' }) + smuggled],
  ['the authority form', head({ key, target: 'evil.example:443' }) + smuggled],
  ['CONNECT', head({ key, method: 'CONNECT', target: 'evil.example:443' }) + smuggled],
])('%s: one answer, 400, the connection ends, and nothing else is done', async (_, bytes) => {
  const answers = await exchange(api.port, bytes);
  expect(answers.map(expectMalformed)).toEqual([400]);
  expect(answers[0]?.headers.get('connection')).toBe('close');
  expect(await made()).toBe(0);
});

function expectMalformed(answer: Parameters<typeof expectDocumentedRefusal>[0]): number | undefined {
  expect(expectDocumentedRefusal(answer, 400)).toBe('malformed_request');
  return answer?.status;
}

test.each(['h2c', 'websocket', 'TLS/1.0'])(
  'a request to upgrade to %s is answered as if it had not asked, and the connection ends: what follows is not read',
  async (protocol) => {
    const upgrade = get('', 'Connection: Upgrade, HTTP2-Settings', `Upgrade: ${protocol}`);
    for (const parts of [[upgrade + smuggled], [upgrade, smuggled]]) {
      const answers = await exchange(api.port, ...parts);
      expect(answers.map(({ status }) => status)).toEqual([200]);
      expect(answers[0]?.headers.get('connection')).toBe('close');
    }
    expect(await made()).toBe(0);
  },
);

test.each([
  ['Accept-Language', 'nl'],
  ['Cookie', 'a=b'],
  ['X-Forwarded-For', '198.51.100.7'],
  ['Accept', 'application/json'],
  ['Traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
])('a header that is a list may be repeated: %s', async (name, value) => {
  const answers = await exchangeAndGoOn(api.port, get('', `${name}: ${value}`, `${name}: ${value}`));
  expect(answers.map(({ status }) => status)).toEqual([200]);
});

test.each(['Idempotency-Key', 'Authorization', 'Content-Type', 'Content-Length', 'Host', 'X-Request-Id'])(
  'the agent interface refuses a repeated %s as REST does, in its own form',
  async (name) => {
    const lines = {
      'Idempotency-Key': 'k1',
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'Content-Length': '2',
      Host: 'api.partner.example',
      'X-Request-Id': 'a',
    };
    const headers = Object.entries(lines).map((line) => line.join(': '));
    const twice = `${name}: ${lines[name as keyof typeof lines]}`;
    const bytes = head({ method: 'POST', target: '/mcp', host: '', headers: [...headers, twice] });
    const [answer, ...others] = await exchange(api.port, `${bytes}{}`);
    expect(others).toEqual([]);
    expect(answer).toMatchObject({
      status: 400,
      json: { jsonrpc: '2.0', id: null, error: { code: -32600, data: { code: 'malformed_request' } } },
    });
  },
);

test('a body that reads like a request is a body: of GET, of a refused request, of one that is too large', async () => {
  const filler = 'x'.repeat(70_000);
  const stranger = head({ method: 'POST', headers: ['Content-Type: application/json', length] });
  const large = post('', `Content-Length: ${filler.length + smuggled.length}`);
  const largeChunk = (filler.length + smuggled.length).toString(16);
  const statuses = async (bytes: string) =>
    (await exchangeAndGoOn(api.port, bytes)).map(({ status }) => status);
  expect(await statuses(get(smuggled, length))).toEqual([200]);
  expect(await statuses(stranger + smuggled)).toEqual([401]);
  expect(await statuses(large + filler + smuggled)).toEqual([413]);
  expect(await statuses(post(`${largeChunk}\r\n${filler}${smuggled}\r\n0\r\n\r\n`, chunked))).toEqual([413]);
  expect(await made()).toBe(0);
});

test('requests in one packet are answered in order, each with its own answer', async () => {
  const paths = ['/v1/webhooks', '/v1/nothing', '/v1/verifications?limit=1', '/v1/health'];
  const answers = await exchangeAndGoOn(api.port, paths.map((target) => head({ key, target })).join(''));
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
  expect(answers[3]?.json).toMatchObject({ status: 'ok' });
  const ids = answers.slice(0, 3).map(({ headers }) => headers.get('x-request-id'));
  expect(new Set(ids).size).toBe(3);
});

test('a fault after good requests is answered after them, never in their place', async () => {
  const answers = await exchange(api.port, `${get('') + smuggled}garbage\r\n\r\n${smuggled}`);
  expect(answers.map(({ status }) => status)).toEqual([200, 201, 400]);
  expect(answers[0]?.json).toMatchObject({ object: 'list' });
  expect(answers[1]?.json).toMatchObject({ object: 'webhook_endpoint' });
  expect(expectDocumentedRefusal(answers[2], 400)).toBe('malformed_request');
  expect(await made()).toBe(1);
});

test('a fault in the body of a request that was answered already gets no second answer', async () => {
  const stranger = head({ method: 'POST', headers: ['Content-Type: application/json', chunked] });
  const answers = await exchange(api.port, stranger, `zz\r\n${smuggled}`);
  expect(answers.map(({ status }) => status)).toEqual([401]);
  expect(await made()).toBe(0);
});

test('chunk extensions and unknown trailers are read over', async () => {
  const body = `${webhookBody.length.toString(16)};a=b\r\n${webhookBody}\r\n0\r\nX-Any: 1\r\n\r\n`;
  const answers = await exchangeAndGoOn(api.port, post(body, chunked));
  expect(answers.map(({ status }) => status)).toEqual([201]);
  expect(await made()).toBe(1);
});

test('a trailer is not a header: a key there lets nobody in', async () => {
  const stranger = head({ method: 'POST', headers: ['Content-Type: application/json', chunked] });
  const answers = await exchangeAndGoOn(
    api.port,
    `${stranger + inChunks}Authorization: Bearer ${key}\r\n\r\n`,
  );
  expect(answers.map(({ status }) => status)).toEqual([401]);
  expect(await made()).toBe(0);
});

test.each([
  ['100-continue', 201],
  ['the unheard-of', 201],
])('Expect: %s changes nothing of what is answered', async (expectation, status) => {
  const headers = [`Content-Length: ${webhookBody.length}`, `Expect: ${expectation}`];
  const answers = await exchangeAndGoOn(api.port, post('', ...headers), webhookBody);
  expect(answers.map((answer) => answer.status)).toEqual([status]);
  expect(await made()).toBe(1);
});

test('the absolute form names the path alone: its host and scheme decide nothing', async () => {
  const target = 'https://evil.example:99/v1/verifications/x';
  const answers = await exchangeAndGoOn(api.port, head({ key, target }));
  expect(expectDocumentedRefusal(answers[0], 404)).toBe('verification_not_found');
});

test('a caller that hangs up while its answers are written leaves no error in the log, and disturbs no other', async () => {
  for (let i = 0; i < 10; i++) {
    const connection = openConnection(api.port);
    await connection.connected;
    connection.send(head({ target: '/openapi.json' }).repeat(10));
    if (i % 2 === 0) await expect.poll(() => connection.received()).not.toBe('');
    connection.socket.resetAndDestroy();
    await connection.closed;
  }
  expect(await exchangeAndGoOn(api.port, get(''))).toHaveLength(1);
});
