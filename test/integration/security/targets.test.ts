import { expect, test } from 'vitest';
import { routes } from '#api/rest/routes.ts';
import { startHarness } from '#test/support/harness.ts';
import {
  countWebhooks,
  exchange,
  exchangeAndGoOn,
  expectDocumentedRefusal,
  head,
  startApiProgram,
  webhookBody,
} from './transport.ts';

const harness = await startHarness({ worker: false });
const api = await startApiProgram(harness);
const { key } = await harness.key();

/**
 * Sends one request and expects one answer. By default the connection must stay open after the answer. After a 431 the server ends
 * the connection, so that test passes `exchange`.
 */
const ask = async (request: Parameters<typeof head>[0], body = '', send = exchangeAndGoOn) => {
  const answers = await send(api.port, head({ key, ...request }) + body);
  expect(answers).toHaveLength(1);
  const [answer] = answers;
  if (answer === undefined) throw new Error('there is no answer');
  return answer;
};

test.each([
  '//v1/webhooks',
  '/v1//webhooks',
  '//evil.example/v1/health',
  '/v1/./webhooks',
  '/v1/../v1/webhooks',
  '/v1/health/../webhooks',
  '/v1/%2e%2e/v1/webhooks',
  '/v1/%2e/webhooks',
  '/v1%2Fwebhooks',
  '/v1%2fwebhooks',
  '/v1%5Cwebhooks',
  '/v1\\webhooks',
  '/v1/webhooks;a=b',
  '/v1/health;/../webhooks',
  '/v1/webhooks%00',
  '/v1/webhooks%20',
  '/v1/webhooks.json',
  '/v1/webhooks/',
  '/V1/webhooks',
  '/docs/../../../../etc/passwd',
  '/docs/..%2f..%2f..%2fetc%2fpasswd',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs/start.js%00.svg',
  '/.env',
  '/.git/config',
  '/.data/secrets.key',
])('%s is no path of ours', async (target) => {
  expect(expectDocumentedRefusal(await ask({ target }), 404)).toBe('not_found');
});

test('/verify/../v1/webhooks is a page of people, and no path of the API', async () => {
  const answer = await ask({ target: '/verify/../v1/webhooks' });
  expect([answer?.status, answer?.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test.each([
  '%2e%2e%2fv1%2fwebhooks',
  '..%2f..%2fv1%2fhealth',
  '%00',
  '%ff%fe',
  'a%2fb',
  "'or'1'='1",
  '%F0%9F%92%A9',
])('an id of %s is an id that does not exist, on each path that takes one', async (id) => {
  for (const { path, method } of routes.filter(({ path }) => path.includes(':id'))) {
    const target = `/v1${path.replace(':id', id).replace(':delivery_id', id)}`;
    const code = expectDocumentedRefusal(await ask({ method, target }), 404);
    expect(code).toMatch(/^(not_found|(verification|income_check|webhook|delivery)_not_found)$/);
  }
  expect((await ask({ target: `/verify/${id}` })).status).toBe(404);
});

test.each(['TRACE', 'PROPFIND', 'PATCH', 'PUT', 'LINK', 'QUERY'])(
  '%s is refused, and nothing that was sent comes back',
  async (method) => {
    const answer = await ask(
      { method, headers: ['X-Echo: kanarie-echo', 'Content-Length: 12'] },
      'kanarie-echo',
    );
    expect(expectDocumentedRefusal(answer, 405)).toBe('method_not_allowed');
    expect(JSON.stringify([...answer.headers]) + answer.body).not.toContain('kanarie');
    expect(JSON.stringify([...answer.headers])).not.toContain(key);
  },
);

test.each([
  'X-HTTP-Method-Override: DELETE',
  'X-HTTP-Method: DELETE',
  'X-Method-Override: DELETE',
  'X-Original-URL: /v1/health',
  'X-Rewrite-URL: /v1/health',
  'X-Forwarded-Prefix: /v2',
  'X-Original-Method: POST',
])('%s decides nothing', async (header) => {
  const headers = ['Content-Type: application/json', `Content-Length: ${webhookBody.length}`];
  const { json } = await ask({ method: 'POST', headers }, webhookBody);
  const { id } = json as { id: string };
  const target = `/v1/webhooks/${id}`;
  expect((await ask({ target, headers: [header] })).json).toMatchObject({ id, active: true });
  expect((await ask({ target: `${target}?_method=DELETE` })).json).toMatchObject({ id, active: true });
  expect((await ask({ target })).json).toMatchObject({ active: true });
});

test('no address in an answer comes from Host or from what a proxy may add', async () => {
  const worker = await harness.key({ environment: 'live' });
  await harness.startWorker();
  const evil = 'evil.example';
  const headers = {
    host: evil,
    'x-forwarded-host': evil,
    'x-forwarded-proto': 'gopher',
    'x-forwarded-server': evil,
    forwarded: `host=${evil}`,
    'x-forwarded-for': evil,
    referer: `https://${evil}/`,
  };
  const own = Number(new URL(harness.url).port);
  const lines = Object.entries(headers)
    .slice(1)
    .map(([name, value]) => `${name}: ${value}`);
  const request = { host: `Host: ${evil}`, key: worker.key, headers: [...lines, 'Content-Length: 0'] };
  const answers = await exchangeAndGoOn(
    own,
    head({ ...request, method: 'POST', target: '/v1/verifications' }),
  );
  expect(answers.map(({ status }) => status)).toEqual([201]);
  expect(answers[0]?.json).toMatchObject({
    verify_url: expect.stringMatching(/^https:\/\/verify\.partner-test\.example\//),
  });
  for (const target of ['/docs', '/openapi.json', '/verify/x', '/v1/health', '/ready', '/v1/verifications']) {
    const again = await exchangeAndGoOn(own, head({ ...request, target }));
    expect(JSON.stringify(again.map(({ headers, body }) => [...headers, body]))).not.toContain(evil);
  }
});

test('no page of another origin is let in: no answer of REST, of the documents or of a link has a CORS header', async () => {
  const headers = [
    'Origin: https://evil.example',
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: authorization',
  ];
  const targets = [
    '/v1/webhooks',
    '/v1/health',
    '/ready',
    '/docs',
    '/openapi.json',
    '/verify/x',
    '/mcp',
    '/',
    '*',
  ];
  for (const target of targets)
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      if (target === '*' && method !== 'OPTIONS') continue;
      const answer = await ask({ method, target, headers: [...headers, 'Content-Length: 0'] });
      const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect({ target, method, names }).toEqual({ target, method, names: [] });
    }
});

test('a url or headers of 20 KB, or three thousand headers, are 431; just below the limit they are accepted', async () => {
  for (const request of [
    { target: `/v1/${'a'.repeat(20_000)}` },
    { headers: [`X-Long: ${'a'.repeat(20_000)}`] },
    { headers: Array<string>(3_000).fill('X-Many: 12345') },
  ])
    expect(expectDocumentedRefusal(await ask(request, '', exchange), 431)).toBe('headers_too_large');
  expect((await ask({ headers: Array<string>(500).fill('X-Many: 1') })).status).toBe(200);
  const long = await ask({ target: `/v1/webhooks?limit=${'1'.repeat(15_000)}` });
  expect(expectDocumentedRefusal(long, 422)).toBe('invalid_parameter');
});

test('afterwards only the endpoints exist that were created', async () => {
  expect(await countWebhooks(harness)).toBe(7);
});
