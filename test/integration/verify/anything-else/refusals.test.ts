import { describe, expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';
import { exchange, expectDocumentedRefusal, head, openConnection } from '../../security/transport.ts';

/** Refusals that come before the page of an address. A person opens it, so that the answer is a page all the same. */

const harness = await startHarness({ worker: false });
const { url: consoleUrl } = await harness.startConsole();
const { key } = await harness.key();
const { json } = await call(harness, 'POST', '/v1/verifications', {
  key,
  body: { method: 'document_only', sandbox: { auto_complete: false } },
});
const link = new URL(json.verify_url).pathname;
const api = Number(new URL(harness.url).port);
const consolePort = Number(new URL(consoleUrl).port);

type Asked = { target: string; headers: string[] };
type Made = (asked: Asked) => string;

const close = 'Connection: close';
const twice = (line: string) => [line, line];
const withBody = (length: number) => [close, `Content-Length: ${length}`];
const refusals: Record<string, [statuses: number[], made: Made]> = {
  'a header that is sent twice': [
    [400],
    ({ target, headers }) =>
      head({
        method: 'POST',
        target,
        headers: [...headers, ...twice('Content-Type: text/plain'), ...withBody(0)],
      }),
  ],
  'two hosts': [[400], ({ target, headers }) => head({ target, headers: [...headers, 'Host: x', close] })],
  'a header without a colon': [
    [400],
    ({ target, headers }) => head({ target, headers: [...headers, 'broken'] }),
  ],
  'a header with a control character': [
    [400],
    ({ target, headers }) => head({ target, headers: [...headers, 'X: a\u0001b'] }),
  ],
  'a method that nobody knows': [[400], ({ target, headers }) => head({ method: 'BREW', target, headers })],
  'a version that nobody knows': [
    [400],
    ({ target, headers }) => head({ target, version: 'HTTP/9.9', headers }),
  ],
  'a space in the address': [[400], ({ target, headers }) => head({ target: `${target} x`, headers })],
  'a fragment in the address': [
    [400],
    ({ target, headers }) => head({ target: `${target}#x`, headers: [...headers, close] }),
  ],
  'a length that is none': [
    [400],
    ({ target, headers }) => head({ method: 'POST', target, headers: [...headers, 'Content-Length: x'] }),
  ],
  'a chunk that is none': [
    [400, 404, 405],
    ({ target, headers }) =>
      `${head({ method: 'POST', target, headers: [...headers, 'Transfer-Encoding: chunked', close] })}broken\r\n`,
  ],
  'an unknown coding': [
    [400],
    ({ target, headers }) =>
      head({ method: 'POST', target, headers: [...headers, 'Transfer-Encoding: gzip'] }),
  ],
  'headers of 20 KB': [
    [431],
    ({ target, headers }) => head({ target, headers: [...headers, `X-Long: ${'a'.repeat(20_000)}`] }),
  ],
  'an address of 20 KB': [
    [431],
    ({ target, headers }) => head({ target: `${target}?${'a'.repeat(20_000)}`, headers }),
  ],
  'another method': [
    [404, 405],
    ({ target, headers }) => head({ method: 'PUT', target, headers: [...headers, ...withBody(0)] }),
  ],
};

const places: Record<string, [port: number, target: string]> = {
  'a link': [api, link],
  'the start of a link': [api, `${link}/start`],
  'a photo of a link': [api, `${link}/picture`],
  'a path below a link that is none': [api, `${link}/a/b/c`],
  'a link that is unknown': [api, '/verify/unknown'],
  'a bank’s way back': [api, '/verify/from-bank'],
  'the place of the links': [api, '/verify'],
  'the place of the links with a slash': [api, '/verify/'],
  'a file of the pages that is none': [api, '/verify/assets/none.js'],
  'the reference': [api, '/docs'],
  'the reference with a slash': [api, '/docs/'],
  'the way to the console': [api, '/console'],
  'the console': [consolePort, '/'],
  'the sign-in of the console': [consolePort, '/sign-in'],
  'a page of the console that is none': [consolePort, '/none/of/ours'],
};

describe.each(Object.entries(places))('at %s', (_, [port, target]) => {
  test.each(Object.entries(refusals))(
    '%s is answered by a page in the person’s language',
    async (__, [statuses, made]) => {
      for (const language of ['nl', 'en']) {
        const [answer, ...more] = await exchange(
          port,
          made({ target, headers: [`Accept-Language: fr;q=0.9, ${language};q=0.8, de`] }),
        );
        expect(more).toEqual([]);
        expect(statuses).toContain(answer?.status);
        if (answer?.status === 303) continue;
        expect(answer?.headers.get('content-type')).toBe('text/html; charset=utf-8');
        expect(answer?.headers.get('content-security-policy')).toContain("default-src 'none'");
        expect(answer?.headers.get('cache-control')).toBe('no-store');
        expect(answer?.body).toContain(`<html lang="${language}">`);
        expect(answer?.body).not.toContain('"error"');
      }
    },
  );
});

test.each(Object.entries(places))(
  'at %s, a body of 100 KB is answered by a page or by a redirect',
  async (_, [port, target]) => {
    const connection = openConnection(port);
    await connection.connected;
    const headers = ['Accept-Language: nl', 'Content-Type: application/json', 'Content-Length: 100000'];
    connection.send(head({ method: 'POST', target, headers }) + 'a'.repeat(100_000));
    await expect.poll(() => /<\/html>|^HTTP\/1.1 303/.test(connection.received())).toBe(true);
    if (!connection.received().startsWith('HTTP/1.1 303'))
      expect(connection.received()).toContain('<html lang="nl">');
    connection.socket.destroy();
  },
);

test('a refused page of a link leads back to it, and loads its style', async () => {
  for (const target of [link, `${link}/start`, `${link}/a/b/c`]) {
    const [answer] = await exchange(api, head({ target, headers: ['broken', 'Accept-Language: nl'] }));
    for (const [pattern, path] of [
      [/<a class="button" href="([^"]+)"/, link],
      [/rel="stylesheet" href="([^"]+)"/, '/verify/assets/style.'],
    ] as const) {
      const [, href = ''] = pattern.exec(answer?.body ?? '') ?? [];
      expect(new URL(href, harness.url + target).pathname.startsWith(path), `${target}: ${href}`).toBe(true);
    }
  }
});

test('headers that are too large and come in many pieces are refused as a page', async () => {
  const bytes = head({ target: link, headers: ['Accept-Language: nl', `X-Long: ${'a'.repeat(20_000)}`] });
  const parts = Array.from({ length: 15 }, (_, i) => bytes.slice(i * 1_460, (i + 1) * 1_460));
  const [answer] = await exchange(api, ...parts);
  expect([answer?.status, answer?.headers.get('content-type')]).toEqual([431, 'text/html; charset=utf-8']);
  expect(answer?.body).toContain('<html lang="nl">');
});

test('the second request of a connection is refused as a page of its own', async () => {
  const first = head({ target: '/v1/health' });
  const second = head({ target: link, headers: ['Accept-Language: nl', 'broken'] });
  for (const parts of [[first + second], [first, second]]) {
    const [answer, page] = await exchange(api, ...parts);
    expect(answer?.status).toBe(200);
    expect([page?.status, page?.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(page?.body).toContain('<html lang="nl">');
  }
});

test.each(Object.entries(refusals))('at a path of the API, %s stays JSON', async (_, [statuses, made]) => {
  const answers = await exchange(api, made({ target: '/v1/webhooks', headers: ['Accept-Language: nl'] }));
  expectDocumentedRefusal(answers[0], ...statuses, 401);
});

test('a body of a program that looks like the request of a person is refused as JSON', async () => {
  const headers = ['Transfer-Encoding: chunked', 'Content-Type: application/json', close];
  const bytes = head({ method: 'POST', target: '/v1/webhooks', key, headers });
  const [answer] = await exchange(api, `${bytes}GET ${link} HTTP/1.1\r\n\r\n`);
  expectDocumentedRefusal(answer, 400);
});
