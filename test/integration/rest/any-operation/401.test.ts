import { describe, expect, test } from 'vitest';
import { keyedRoutes } from '#api/rest/routes.ts';
import { newApiKey } from '#platform/crypto/api-key.ts';
import { recordStatements } from '#test/integration/store/plans/explain.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { revoke } from '#test/support/rows/keys.ts';

const statementsDuring = recordStatements();
const harness = await startHarness({ worker: false, trustProxy: true });

/** Each request has its own address, so that failed authentications do not add up to a 429. */
let requests = 0;
const freshAddress = () => `10.0.${requests >> 8}.${requests++ & 255}`;

describe.each(keyedRoutes)('$method $path', ({ method, path }) => {
  covers('4.1/create-401', '4.1/get-401', '4.1/list-401', '4.1/webhook-create-401', '7.1/401');

  const ask = (authorization?: string) =>
    call(harness, method, `/v1${path.replace(':id', 'x')}`, {
      rawBody: '{broken',
      headers: {
        'x-forwarded-for': freshAddress(),
        ...(authorization !== undefined && { authorization }),
      },
    });

  test.each(['', 'Bearer ', 'Bearer'])(
    'without a key (%j) is missing_api_key or invalid, never let in',
    async (authorization) => {
      const { status, json } = await ask(authorization);
      expect(status).toBe(401);
      expect(json.error.type).toBe('authentication_error');
    },
  );

  test('without the header is missing_api_key, and says how to authenticate', async () => {
    covers('5/bearer-key', '5/missing-key');
    const { status, json, headers } = await ask();
    expect(status).toBe(401);
    expect(json.error).toMatchObject({ type: 'authentication_error', code: 'missing_api_key' });
    expect(headers['www-authenticate']).toBe('Bearer');
  });

  test('with an unknown key is invalid_api_key', async () => {
    covers('5/unknown-key');
    const strangers = [
      `Bearer ${newApiKey('sandbox')}`,
      'Bearer sk_test_x',
      'Basic dXNlcjpwYXNz',
      'Bearer svc_test_',
      'Bearer svc_test_\u00e9',
    ];
    for (const authorization of strangers.map((text) => Buffer.from(text).toString('latin1'))) {
      const { status, json } = await ask(authorization);
      expect(status).toBe(401);
      expect(json.error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' });
    }
  });

  test('with a revoked key is invalid_api_key', async () => {
    covers('5/revoked-key');
    const [kept, { id, key }] = [await harness.key(), await harness.key()];
    await revoke(harness.store, id);
    expect((await ask(`Bearer ${kept.key}`)).status).not.toBe(401);
    const { status, json } = await ask(`Bearer ${key}`);
    expect(status).toBe(401);
    expect(json.error).toMatchObject({ type: 'authentication_error', code: 'invalid_api_key' });
  });

  test('with an expired key is expired_api_key', async () => {
    covers('5/expired-key');
    const { key } = await harness.key({ expiresAt: new Date(Date.now() - 1_000) });
    const { status, json } = await ask(`Bearer ${key}`);
    expect(status).toBe(401);
    expect(json.error).toMatchObject({ type: 'authentication_error', code: 'expired_api_key' });
  });
});

test('a key with a wrong checksum costs no query, and one with a right checksum does', async () => {
  const queriesFor = async (key: string) => {
    const statements = await statementsDuring(async () => {
      const headers = { 'x-forwarded-for': freshAddress() };
      expect((await call(harness, 'GET', '/v1/verifications', { key, headers })).status).toBe(401);
    });
    // The last use of another key can be written meanwhile.
    return statements.filter(({ text }) => /^select\b.*\bfrom "api_keys"/s.test(text)).length;
  };
  const key = newApiKey('sandbox');
  expect(await queriesFor(key)).toBe(1);
  expect(await queriesFor(key.slice(0, -1) + (key.endsWith('0') ? '1' : '0'))).toBe(0);
});

test('a key whose prefix was changed to the other environment is unknown', async () => {
  const { key } = await harness.key({ environment: 'sandbox' });
  const { status, json } = await call(harness, 'POST', '/v1/verifications', {
    key: key.replace('svc_test_', 'svc_live_'),
  });
  expect(status).toBe(401);
  expect(json.error.code).toBe('invalid_api_key');
});

test('the scheme may be written in any case', async () => {
  const { key } = await harness.key();
  const { status } = await call(harness, 'GET', '/v1/verifications/x', {
    headers: { authorization: `bearer ${key}` },
  });
  expect(status).toBe(404);
});
