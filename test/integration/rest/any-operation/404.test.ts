import { expect, test } from 'vitest';
import { routes } from '#api/rest/routes.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test.each([
  '/',
  '/v1',
  '/v1/nope',
  '/V1/health',
  '/v1/health/',
  '/v2/verifications',
  '/verifications',
  '/v1/verifications/x/y',
  '/v1/%E0%A4%A',
])('%s is not_found, as JSON with a request id', async (path) => {
  covers('7.1/json', '7.1/request-id', '7.1/code', '7.1/message', '4/request-id-header');
  const { status, json, headers } = await call(harness, 'GET', path);
  expect(status).toBe(404);
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  expect(json).toEqual({
    error: {
      type: 'not_found_error',
      code: 'not_found',
      message: expect.stringMatching(/\.$/),
      request_id: headers['x-request-id'],
    },
  });
});

test.each([...routes, { method: 'GET', path: '/health' } as const])(
  '$method $path exists under /v1 and nowhere else',
  async ({ method, path }) => {
    covers('9/path-prefix');
    const codeUnder = async (prefix: string) =>
      (await call(harness, method, prefix + path.replace(':id', 'x'))).json.error?.code;
    expect(await codeUnder('/v1')).toBe(path === '/health' ? undefined : 'missing_api_key');
    for (const prefix of ['', '/v2']) expect(await codeUnder(prefix)).toBe('not_found');
  },
);
