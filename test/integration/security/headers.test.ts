import { expect, test } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import { startHarness } from '#test/support/harness.ts';
import { exchange, head, type RawAnswer, webhookBody } from './transport.ts';

const harness = await startHarness();
const port = Number(new URL(harness.url).port);
const { key } = await harness.key();

/** Adds `Connection: close` as the first header, so that the server ends the connection after its answer. */
const ask = async (bytes: string): Promise<RawAnswer> => {
  const answers = await exchange(port, bytes.replace('\r\n', '\r\nConnection: close\r\n'));
  const [answer] = answers;
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers`);
  return answer;
};
const get = (target: string, headers: string[] = []) => ask(head({ target, key, headers }));
const post = (target: string, body: string, itsKey: string | undefined = key) =>
  ask(
    head({
      method: 'POST',
      target,
      ...(itsKey !== '' && { key: itsKey }),
      headers: ['Content-Type: application/json', `Content-Length: ${body.length}`],
    }) + body,
  );

const created = await post('/v1/verifications', '{"sandbox":{"auto_complete":false}}');
const linkPath = new URL((created.json as { verify_url: string }).verify_url).pathname;
const limited = await harness.key({ rateLimit: 1 });
await post('/v1/webhooks', webhookBody, limited.key);

/** The name of the stylesheet contains a digest, so it is read from the page. */
const [stylesheet = ''] = /\/docs\/style-[0-9a-f]+\.css/.exec((await get('/docs')).body) ?? [];

const nothingLoads = "default-src 'none'; frame-ancestors 'none'";

/** Answers of many statuses and content types, from the different parts of the API that write answers. */
const answers: Record<string, [number, () => Promise<RawAnswer>]> = {
  'a page of the reference': [200, () => get('/docs')],
  'the stylesheet of the reference': [200, () => get(stylesheet)],
  'the icon of the reference': [200, () => get('/docs/icon.svg')],
  'the interface description': [200, () => get('/openapi.json')],
  "a person's link": [200, () => get(linkPath)],
  'the code for a phone': [200, () => get(`${linkPath}/phone.svg`)],
  'the script of the page': [200, () => get('/verify/assets/flow.js')],
  'a specimen of the page': [200, () => get('/verify/assets/passport_page.svg')],
  'a press without consent': [303, () => post(`${linkPath}/start`, '')],
  'an unknown link': [404, () => get(`/verify/${'A'.repeat(64)}`)],
  health: [200, () => get('/v1/health')],
  ready: [200, () => get('/ready')],
  'a created verification': [201, async () => created],
  'a stored answer': [201, () => ask(idempotent())],
  'a list': [200, () => get('/v1/webhooks')],
  'a broken body': [400, () => post('/v1/webhooks', '{')],
  'no key': [401, () => post('/v1/webhooks', webhookBody, '')],
  'a path that is none': [404, () => get('/nothing')],
  'a method that is none': [405, () => ask(head({ method: 'PUT', key, headers: ['Content-Length: 0'] }))],
  'a large body': [413, () => post('/v1/webhooks', 'x'.repeat(70_000))],
  'a body of another type': [
    415,
    () => ask(`${head({ method: 'POST', key, headers: ['Content-Length: 1'] })}x`),
  ],
  'an invalid field': [422, () => post('/v1/webhooks', '{"url":1}')],
  'too many requests': [429, () => post('/v1/webhooks', webhookBody, limited.key)],
  'what is no HTTP': [400, () => ask('garbage\r\n\r\n')],
  'headers that are too large': [431, () => get('/', [`X-Long: ${'a'.repeat(20_000)}`])],
  'two hosts': [400, () => get('/', ['Host: x'])],
  CONNECT: [400, () => ask(head({ method: 'CONNECT', target: 'evil.example:443' }))],
  OPTIONS: [200, () => ask(head({ method: 'OPTIONS' }))],
  'an answer to an agent': [200, () => post('/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}')],
  'a notification of an agent': [202, () => post('/mcp', '{"jsonrpc":"2.0","method":"ping"}')],
  'a refusal to an agent': [400, () => post('/mcp', '[]')],
};

const idempotent = () =>
  head({
    method: 'POST',
    target: '/v1/verifications',
    key,
    headers: ['Idempotency-Key: headers', 'Content-Length: 0'],
  });

test.each(Object.entries(answers))(
  '%s carries what keeps it private and what it is',
  async (_, [status, answerOf]) => {
    const { status: found, headers } = await answerOf();
    expect(found).toBe(status);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8,}/);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toContain('camera=(self)');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toMatch(/default-src '(none|self)'/);
    expect(policy).not.toMatch(/unsafe-eval|\*|https?:|data:/);
    if (headers.get('content-type')?.startsWith('text/html') !== true) expect(policy).toBe(nothingLoads);
    for (const name of [
      'server',
      'x-powered-by',
      'x-runtime',
      'via',
      'etag',
      'set-cookie',
      'access-control-allow-origin',
    ])
      expect({ name, value: headers.get(name) }).toEqual({ name, value: undefined });
  },
);

const mayBeStored = ['/docs', stylesheet, '/docs/icon.svg', '/openapi.json'];

test('only the reference may be cached', async () => {
  for (const [, answerOf] of Object.values(answers).filter(([status]) => status !== 431)) {
    const { headers, json, body } = await answerOf();
    const isReference = body.startsWith('<!doctype html>\n<html lang="en">') || 'openapi' in Object(json);
    const isPart = /javascript|css|svg/.test(headers.get('content-type') ?? '');
    if (!isReference && !isPart) expect(headers.get('cache-control')).toBe('no-store');
  }
  for (const path of mayBeStored)
    expect((await get(path)).headers.get('cache-control')).toMatch(/^public, max-age=\d+(, immutable)?$/);
});

test("a person's page loads and runs files of this service alone, can be framed by nobody, and sends its address to nobody", async () => {
  for (const path of [linkPath, '/verify/x']) {
    const { headers, body } = await get(path);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(body).not.toMatch(/\son\w+=|javascript:|(src|href|action)="(\w+:|\/)/i);
    for (const [, attributes = '', inline] of body.matchAll(/<script([^>]*)>([^<]*)</g))
      expect([inline, attributes]).toEqual([
        '',
        expect.stringMatching(/^ type="module" src="assets\/[\w.]+"/),
      ]);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('the page of the reference runs no script and sends no form', async () => {
  const { headers, body } = await get('/docs');
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(body).not.toMatch(/<script|<style|<form|\son\w+=|javascript:/i);
});

test.each(keyedRoutes)(
  '$method $path, asked for without a key, says no more than that',
  async ({ method, path }) => {
    const target = `/v1${path.replace(':id', 'x').replace(':delivery_id', 'x')}`;
    const { status, headers } = await ask(head({ method, target, headers: ['Content-Length: 0'] }));
    expect(status).toBe(401);
    expect(headers.get('content-security-policy')).toBe(nothingLoads);
  },
);
