import { expect, test } from 'vitest';
import { version } from '#platform/version.ts';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test.each([undefined, 'no-key-of-ours'])(
  'health needs no key, minds no other (%s), and tells status and version',
  async (key) => {
    covers('4.1/health', '4.1/health-without-key', '9/health-version');
    const { status, json } = await call(harness, 'GET', '/v1/health', { key });
    expect(status).toBe(200);
    expect(json).toEqual({ status: 'ok', version });
  },
);

test('health alone names no request and counts on no limit', async () => {
  const { headers } = await call(harness, 'GET', '/v1/health');
  expect(headers).not.toHaveProperty('x-request-id');
  expect(Object.keys(headers).filter((name) => name.startsWith('x-ratelimit-'))).toEqual([]);
  expect((await call(harness, 'GET', '/ready')).headers).toHaveProperty('x-request-id');
});
