import { describe, expect, test } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false, trustProxy: true });

/** Requests without a valid key are counted by address. Each test uses a new address, so its count starts at zero. */
let addresses = 0;
const freshAddress = () => `192.0.2.${++addresses}`;

const figures = ({ headers }: Awaited<ReturnType<typeof call>>) => [
  Number(headers['x-ratelimit-limit']),
  Number(headers['x-ratelimit-remaining']),
];

describe.each(keyedRoutes)('$method $path carries the rate limit', ({ method, path }) => {
  covers('4/rate-limit-headers', '8/rate-limit-headers');
  const ask = (options: Parameters<typeof call>[3] = {}, id = 'x') =>
    call(harness, method, `/v1${path.replace(':id', id)}`, options);

  test('of the address without a key', async () => {
    const answer = await ask({ headers: { 'x-forwarded-for': freshAddress() } });
    expect([answer.status, ...figures(answer)]).toEqual([401, 60, 59]);
  });

  test('of the key without the scope', async () => {
    const { key } = await harness.key({ rateLimit: 7, grants: [] });
    const answer = await ask({ key });
    expect([answer.status, ...figures(answer)]).toEqual([403, 7, 6]);
  });

  test('of the key whatever else is wrong', async () => {
    const { key } = await harness.key({ rateLimit: 7, environment: 'live' });
    const answer = await ask({ key, rawBody: 'x'.repeat(65 * 1024), headers: { 'content-type': 'text/x' } });
    expect(answer.status).toBeLessThan(500);
    expect(figures(answer)).toEqual([7, 6]);
  });
});

describe('where nothing is counted the answer says where its caller stands', () => {
  test.each([
    ['an unknown path', 'GET', '/v1/nope', 404],
    ['an unknown method', 'PUT', '/v1/verifications', 405],
    ['an unknown method of health', 'POST', '/v1/health', 405],
  ] as const)('%s', async (_, method, path, status) => {
    const headers = { 'x-forwarded-for': freshAddress() };
    const { key } = await harness.key({ rateLimit: 7 });
    for (let i = 0; i < 2; i++) {
      const withKey = await call(harness, method, path, { key, headers });
      expect([withKey.status, ...figures(withKey)]).toEqual([status, 7, 7]);
      for (const stranger of [undefined, 'svc_test_nobody']) {
        const without = await call(harness, method, path, { key: stranger, headers });
        expect([without.status, ...figures(without)]).toEqual([status, 60, 60]);
      }
    }
  });

  test.each(['/ready', '/verify/nobody'])('%s', async (path) => {
    const headers = { 'x-forwarded-for': freshAddress() };
    await call(harness, 'GET', '/v1/verifications', { headers });
    expect(figures(await call(harness, 'GET', path, { headers }))).toEqual([60, 59]);
  });
});

test('of the key when an answer fails', async () => {
  const { key } = await harness.key({ rateLimit: 7 });
  await harness.rows`alter table webhook_endpoints add constraint planted check (url not like '%planted%')`;
  const answer = await call(harness, 'POST', '/v1/webhooks', {
    key,
    body: { url: 'https://planted.example.com' },
  });
  expect([answer.status, ...figures(answer)]).toEqual([500, 7, 6]);
});

test('of the address when nobody can tell whose key it is', async () => {
  const blind = await startHarness({ worker: false });
  const { key } = await blind.key();
  await blind.rows`alter table api_keys rename to api_keys_gone`;
  const answer = await call(blind, 'GET', '/v1/verifications', { key });
  expect([answer.status, ...figures(answer)]).toEqual([500, 60, 60]);
});

test('health carries neither rate limit nor request id, however often it is asked', async () => {
  for (let i = 0; i < 130; i++) {
    const { status, headers } = await call(harness, 'GET', '/v1/health');
    expect(status).toBe(200);
    expect(Object.keys(headers).filter((name) => /ratelimit|request-id|retry-after/.test(name))).toEqual([]);
  }
});
