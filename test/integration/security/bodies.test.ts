import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';
import {
  answersIn,
  exchange,
  exchangeAndGoOn,
  expectDocumentedRefusal,
  head,
  openConnection,
  startApiProgram,
  webhookBody,
} from './transport.ts';

const harness = await startHarness({ worker: false });
const api = await startApiProgram(harness);
const { key } = await harness.key();

const half = limits.bodySizeBytesMax / 2;
const nested = (open: string, close: string, within: number, core = '1') => {
  const depth = Math.floor((within - core.length) / (open.length + close.length));
  return open.repeat(depth) + core + close.repeat(depth);
};
const room = limits.bodySizeBytesMax - 400;

/** JSON that is expensive to parse. Each text is below 64 KiB. */
const hostile: Record<string, string> = {
  'arrays 32,000 deep': nested('[', ']', room),
  'objects 10,000 deep': nested('{"a":', '}', room),
  'objects and arrays in turn': nested('[{"a":', '}]', room),
  'arrays 60,000 deep that never close': '['.repeat(60_000),
  'objects that never close': '{"a":'.repeat(12_000),
  'thirty thousand elements': `[${'1,'.repeat(half - 400)}1]`,
  'nine thousand fields': `{${Array.from({ length: 6_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'one field nine thousand times': `{${'"a":1,'.repeat(9_000)}"a":1}`,
  'a number of 60,000 digits': '9'.repeat(60_000),
  'a number with an exponent of 60,000 digits': `1e${'9'.repeat(60_000)}`,
  'a fraction of 60,000 digits': `0.${'1'.repeat(60_000)}`,
  'text of 60,000 characters': JSON.stringify('x'.repeat(60_000)),
  'ten thousand escapes': `"${'\\u0041'.repeat(10_000)}"`,
  'a lone surrogate': '"\\ud800"',
  'U+0000': '"\\u0000"',
  __proto__: '{"__proto__":{"isAdmin":true,"url":"https://evil.example/in"}}',
  'constructor.prototype': '{"constructor":{"prototype":{"isAdmin":true}}}',
  'toString, valueOf and toJSON': '{"toString":1,"valueOf":1,"toJSON":1,"then":1,"hasOwnProperty":1}',
  '__proto__ a thousand deep': nested('{"__proto__":', '}', 15_000),
};

const restPaths = {
  '/v1/verifications': ['reference', 'method', 'sandbox'],
  '/v1/webhooks': ['url', 'description', 'event_types', 'environment'],
};

describe.each(Object.entries(hostile))('%s', (_, json) => {
  test.each(Object.entries(restPaths))(
    'as the body of %s, and in each of its fields, is 400 or 422',
    async (path, fields) => {
      const bodies = [json, ...fields.map((field) => `{"${field}":${json}}`), `{"nobody_knows":${json}}`];
      for (const rawBody of bodies) {
        const { status, json: answer } = await call(api, 'POST', path, { key, rawBody });
        expect([400, 422]).toContain(status);
        expect(JSON.stringify(answer).length).toBeLessThan(1_000);
      }
    },
  );

  test('as a message of the agent interface, its params, and the arguments of each writing tool, is refused', async () => {
    const asMessage = await rpc(api, undefined, { key, rawBody: json });
    expect(asMessage.status).toBe(400);
    const frame = (method: string, params: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
    const tools = ['start_verification', 'get_verification', 'list_verifications', 'create_webhook'];
    const places = ['reference', 'verification_id', 'limit', 'url'];
    const bodies = [
      frame('tools/call', json),
      ...tools.map((tool) => frame('tools/call', `{"name":"${tool}","arguments":${json}}`)),
      ...tools.map((tool, i) =>
        frame('tools/call', `{"name":"${tool}","arguments":{"${places[i]}":${json}}}`),
      ),
    ];
    for (const rawBody of bodies) {
      const answer = await rpc(api, undefined, { key, rawBody });
      const refused = answer.json.error !== undefined || answer.json.result.isError === true;
      expect(refused, rawBody.slice(0, 120)).toBe(true);
      expect(answer.text.length).toBeLessThan(2_000);
    }
  });
});

test('no object of the process has changed: later requests are judged as before, and nothing was created', async () => {
  const { json } = await call(api, 'POST', '/v1/webhooks', { key, body: { isAdmin: true } });
  expect(json.error.code).toBe('invalid_parameter');
  expect((await call(api, 'POST', '/v1/webhooks', { key })).status).toBe(422);
  for (const table of ['webhook_endpoints', 'verifications', 'requests']) {
    const rows = await harness.rows`select 1 from ${sql.table(table)}`;
    expect({ table, rows: rows.length }).toEqual({ table, rows: 0 });
  }
});

const compressed = {
  gzip: gzipSync(Buffer.alloc(40_000_000, ' ')),
  deflate: deflateSync(Buffer.alloc(40_000_000, ' ')),
  br: brotliCompressSync(Buffer.alloc(1_000_000, ' ')),
  zstd: Buffer.from('28b52ffd', 'hex'),
  'gzip, gzip': gzipSync(gzipSync(Buffer.from(webhookBody))),
  unknown: Buffer.from(webhookBody),
};

test.each(Object.entries(compressed))(
  'a body compressed by %s is refused and never unpacked',
  async (coding, bytes) => {
    expect(bytes.length).toBeLessThan(limits.bodySizeBytesMax);
    const headers = { 'content-encoding': coding };
    const rest = await call(api, 'POST', '/v1/webhooks', { key, rawBody: bytes, headers });
    expect(rest.json.error.code).toBe('unsupported_media_type');
    const agent = await rpc(api, undefined, { key, rawBody: bytes, headers });
    expect(agent.json.error.data.code).toBe('unsupported_media_type');
  },
);

test.each([
  'application/json; charset=utf-16',
  'application/json; charset=utf-7',
  'text/json',
  'application/json, text/plain',
  '*/*',
])('a body said to be %s is refused', async (type) => {
  const { json } = await call(api, 'POST', '/v1/webhooks', {
    key,
    rawBody: webhookBody,
    headers: { 'content-type': type },
  });
  expect(json.error.code).toBe('unsupported_media_type');
});

const headersOf = (...lines: string[]) => ({
  method: 'POST',
  key,
  headers: ['Content-Type: application/json', ...lines],
});

test('a hundred bodies of 4 MB, with a length and in chunks, are 413 and leave the memory as it was', async () => {
  const large = 'x'.repeat(4 * 1024 * 1024);
  const chunk = `${large.length.toString(16)}\r\n${large}\r\n`;
  const send = async () => {
    const [known, unknown] = await Promise.all([
      exchangeAndGoOn(api.port, head(headersOf(`Content-Length: ${large.length}`)) + large),
      exchangeAndGoOn(api.port, `${head(headersOf('Transfer-Encoding: chunked')) + chunk}0\r\n\r\n`),
    ]);
    for (const answers of [known, unknown])
      expect(expectDocumentedRefusal(answers[0], 413)).toBe('body_too_large');
  };
  for (let i = 0; i < 10; i++) await send();
  const before = api.residentBytes();
  for (let i = 0; i < 40; i++) await send();
  const after = api.residentBytes();
  if (before !== undefined && after !== undefined) expect(after - before).toBeLessThan(64 * 1024 * 1024);
});

test('the rest of a body that was refused half-way is read over, and the next request has its answer', async () => {
  const connection = openConnection(api.port);
  await connection.connected;
  const chunk = `100000\r\n${'x'.repeat(0x10_00_00)}\r\n`;
  connection.send(head(headersOf('Transfer-Encoding: chunked')) + chunk.slice(0, 200_000));
  await expect.poll(() => connection.received()).toContain('body_too_large');
  connection.send(`${chunk.slice(200_000)}0\r\n\r\n`);
  connection.send(head({ target: '/v1/health', headers: ['Connection: close'] }));
  await expect.poll(() => connection.hasEnded(), { timeout: 10_000 }).toBe(true);
  expect(answersIn(connection.received()).map(({ status }) => status)).toEqual([413, 200]);
});

/**
 * Returns the time for the larger size divided by the time for the smaller. Other programs can slow a measurement, so the least of
 * four such ratios counts.
 */
async function growth(take: (size: number) => Promise<void>, small: number, large: number): Promise<number> {
  const msOf = async (size: number) => {
    const startedAt = performance.now();
    await take(size);
    return performance.now() - startedAt;
  };
  await take(small);
  const ratios = [];
  for (let i = 0; i < 4; i++) ratios.push((await msOf(large)) / (await msOf(small)));
  return Math.min(...ratios);
}

/**
 * For five times the size, the time may grow by a factor of five and a margin. Quadratic growth would be a factor of twenty-five.
 */
const linearMax = 12;

test.each<[string, (size: number) => string]>([
  ['one name many times', (size) => 'a&'.repeat(size)],
  ['a known name many times', (size) => 'limit&'.repeat(size / 3)],
  ['many names', (size) => Array.from({ length: size / 3 }, (_, i) => `k${i}`).join('&')],
  ['nothing many times', (size) => '&'.repeat(size * 2)],
  ['many escapes', (size) => `limit=${'%41'.repeat(size / 2)}`],
])('a query of %s takes time in proportion to its length', async (_, queryOf) => {
  const take = async (size: number) => {
    const target = `/v1/webhooks?${queryOf(size)}`;
    const requests = Array<string>(19).fill(head({ key, target }));
    const last = head({ key, target, headers: ['Connection: close'] });
    const answers = await exchange(api.port, [...requests, last].join(''));
    expect(answers).toHaveLength(20);
  };
  expect(await growth(take, 1_400, 7_000)).toBeLessThan(linearMax);
});

test('a message that is as large as may be is read with the next one waiting behind it', async () => {
  const large = JSON.stringify(message('ping', { a: 'x'.repeat(60_000) }));
  const ping = JSON.stringify(message('ping', {}, 8));
  const post = (body: string) =>
    head({ ...headersOf(`Content-Length: ${body.length}`), target: '/mcp' }) + body;
  const answers = await exchangeAndGoOn(api.port, post(large) + post(ping));
  expect(answers.map(({ json }) => (json as { id: number }).id)).toEqual([7, 8]);
});
