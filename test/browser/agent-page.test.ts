import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { atTheEnd } from '../support/at-the-end.ts';
import { startHarness } from '../support/harness.ts';
import { browserOfFile } from './browser.ts';

/** Serves an empty page, whose origin is another than that of the API. */
async function startPage(): Promise<string> {
  const server = createServer((_, response) =>
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>page</title>'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const harness = await startHarness({ worker: false });
const [listed, other] = [await startPage(), await startPage()];
const api = await harness.startApi({ mcpAllowedOrigins: [listed] });
const { key } = await harness.key();
const visitListed = browserOfFile({ ...harness, url: listed });
const visitOther = browserOfFile({ ...harness, url: other });

const message = (method: string, params: object = {}) =>
  JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
/** What the official library sends in a browser. */
const asClient = {
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-06-18',
  'mcp-method': 'tools/list',
  'mcp-session-id': 'none',
  'last-event-id': '0',
};

type Asked = { path?: string; method?: string; headers?: Record<string, string>; body?: string };
type Page = Awaited<ReturnType<typeof visitListed>>['page'];

/** Sends a request from a page. Returns what its script can read, or the name of the error. */
const fetchIn = (page: Page, asked: Asked) =>
  page.evaluate(
    async ({ url, method, headers, body }) => {
      try {
        const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
        const text = await answer.text();
        return {
          status: answer.status,
          json: text === '' ? null : JSON.parse(text),
          read: ['x-request-id', 'x-ratelimit-remaining', 'retry-after', 'www-authenticate', 'allow'].filter(
            (name) => answer.headers.has(name),
          ),
        };
      } catch (error) {
        return (error as Error).name;
      }
    },
    { url: api.url + (asked.path ?? '/mcp'), method: 'POST', headers: asClient, ...asked },
  );

test('a page of a listed origin lists the tools, calls one, and reads every refusal', async () => {
  const { page } = await visitListed('/');
  const list = await fetchIn(page, { body: message('tools/list') });
  expect(list).toMatchObject({ status: 200, read: ['x-request-id', 'x-ratelimit-remaining'] });
  const called = await fetchIn(page, { body: message('tools/call', { name: 'health' }) });
  expect(called).toMatchObject({ json: { result: { isError: false } } });

  const few = (await harness.key({ rateLimit: 1 })).key;
  await fetchIn(page, { headers: { ...asClient, authorization: `Bearer ${few}` }, body: message('ping') });
  const refusals: [number, Asked, string[]][] = [
    [405, { method: 'GET' }, ['allow']],
    [405, { method: 'PUT', body: message('ping') }, ['allow']],
    [405, { method: 'PATCH', body: message('ping') }, ['allow']],
    [405, { method: 'DELETE' }, ['allow']],
    [400, { body: '{' }, []],
    [400, { body: message('ping'), headers: { ...asClient, 'mcp-protocol-version': 'x' } }, []],
    [401, { body: message('ping'), headers: { 'content-type': 'application/json' } }, ['www-authenticate']],
    [413, { body: 'x'.repeat(70_000) }, []],
    [415, { body: message('ping'), headers: { ...asClient, 'content-type': 'text/plain' } }, []],
    [
      429,
      { body: message('ping'), headers: { ...asClient, authorization: `Bearer ${few}` } },
      ['retry-after'],
    ],
    [431, { body: message('ping'), headers: { ...asClient, 'last-event-id': 'x'.repeat(20_000) } }, []],
  ];
  for (const [status, asked, headers] of refusals) {
    const answer = await fetchIn(page, asked);
    expect(answer, `${asked.method} ${status}`).toMatchObject({ status, json: { jsonrpc: '2.0' } });
    expect((answer as { read: string[] }).read).toEqual(
      expect.arrayContaining(['x-request-id', 'x-ratelimit-remaining', ...headers]),
    );
  }
  const register = await fetchIn(page, { path: '/register', body: '{}' });
  expect(register).toMatchObject({ status: 404, json: { error: 'invalid_request' } });
});

test('a page of any other origin reads nothing', async () => {
  const { page } = await visitOther('/');
  for (const asked of [
    { body: message('tools/list') },
    { method: 'GET', headers: {} },
    { path: '/register', body: '{}' },
  ])
    expect(await fetchIn(page, asked)).toBe('TypeError');
});
