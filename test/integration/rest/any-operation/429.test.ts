import { describe, expect, test } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import { limits } from '#contract/limits.ts';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false, trustProxy: true });

const list = (key: string, at: { url: string } = harness) => call(at, 'GET', '/v1/verifications', { key });

/** Sends a request with an unknown key from the given address. */
const askWithUnknownKey = (address: string, at: { url: string } = harness) =>
  call(at, 'GET', '/v1/verifications', {
    key: newApiKey('sandbox'),
    headers: { 'x-forwarded-for': address },
  });

describe.each(keyedRoutes)('$method $path', ({ method, path }) => {
  test('beyond the limit is rate_limit_exceeded, before scope and body are looked at', async () => {
    covers('4.1/create-429', '4.1/list-429', '7.1/429-rate-limit-exceeded', '8/rate-limit-headers');
    const { key } = await harness.key({ rateLimit: 1, grants: [] });
    const ask = () => call(harness, method, `/v1${path.replace(':id', 'x')}`, { key, rawBody: '{broken' });
    expect((await ask()).status).toBe(403);
    const { status, json, headers } = await ask();
    expect(status).toBe(429);
    expect(json.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' });
    const waitSeconds = Number(headers['retry-after']);
    expect(waitSeconds).toBeGreaterThanOrEqual(1);
    expect(waitSeconds).toBeLessThanOrEqual(limits.rateLimitWindowSeconds);
  });
});

describe('a key', () => {
  test('of no limit of its own has 120 a minute: of 130 at once exactly 120 are answered', async () => {
    covers('8/requests-per-minute');
    const { key } = await harness.key({ rateLimit: null });
    const answers = await Promise.all(Array.from({ length: 130 }, () => list(key)));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(429)]).toEqual([120, 10]);
    expect(new Set(answers.map(({ headers }) => headers['x-ratelimit-limit']))).toEqual(new Set(['120']));
  });

  test('counts down by one a request, whatever the answer', async () => {
    covers('4/rate-limit-remaining');
    const { key } = await harness.key({ rateLimit: 4 });
    const answers = [
      await list(key),
      await call(harness, 'GET', '/v1/verifications/x', { key }),
      await call(harness, 'POST', '/v1/verifications', { key, rawBody: '{broken' }),
      await call(harness, 'POST', '/v1/webhooks', { key, body: {} }),
      await list(key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 422, 429]);
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['3', '2', '1', '0', '0']);
  });

  test('counts apart from every other, of the same organisation too', async () => {
    const [one, other] = [await harness.key({ rateLimit: 1 }), await harness.key({ rateLimit: 1 })];
    expect((await list(one.key)).status).toBe(200);
    expect((await list(one.key)).status).toBe(429);
    expect((await list(other.key)).status).toBe(200);
  });

  test('is answered again in the next window', async () => {
    const hasty = await startHarness({ worker: false, rateLimits: { windowSeconds: 0.5 } });
    const { key } = await hasty.key({ rateLimit: 1 });
    await list(key, hasty);
    const status = async () => (await list(key, hasty)).status;
    await expect.poll(status, { interval: 10, timeout: 10_000 }).toBe(429);
    await expect.poll(status, { interval: 20, timeout: 10_000 }).toBe(200);
  });
});

describe('requests without a good key', () => {
  test('count on their address: 60 a minute are 401, those after are rate_limit_exceeded', async () => {
    const answers = [];
    for (let i = 0; i < 62; i++) answers.push(await askWithUnknownKey('192.0.2.1'));
    expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(401), 429, 429]);
    expect(answers[0]?.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' });
    expect(answers[61]?.json.error.code).toBe('rate_limit_exceeded');
    expect(Number(answers[61]?.headers['retry-after'])).toBeLessThanOrEqual(limits.rateLimitWindowSeconds);
    expect((await askWithUnknownKey('192.0.2.2')).status).toBe(401);
  });

  test('never stop a good key at the same address', async () => {
    for (let i = 0; i < 61; i++) await askWithUnknownKey('192.0.2.3');
    const { key } = await harness.key({ rateLimit: 9 });
    const { status, headers } = await call(harness, 'GET', '/v1/verifications', {
      key,
      headers: { 'x-forwarded-for': '192.0.2.3' },
    });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '9', 'x-ratelimit-remaining': '8' });
  });

  test('from one IPv6 network count together', async () => {
    const first = await askWithUnknownKey('2001:db8:0:1::1');
    const second = await askWithUnknownKey('2001:db8:0:1:ffff::2');
    const elsewhere = await askWithUnknownKey('2001:db8:0:2::1');
    expect([first, second, elsewhere].map(({ headers }) => Number(headers['x-ratelimit-remaining']))).toEqual(
      [59, 58, 59],
    );
  });

  test('cannot choose their address where no proxy is named', async () => {
    const direct = await startHarness({ worker: false });
    const answers = [
      await askWithUnknownKey('192.0.2.1', direct),
      await askWithUnknownKey('192.0.2.2', direct),
    ];
    expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['59', '58']);
  });
});
