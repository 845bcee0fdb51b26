import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.stop());

test('health needs no key and tells status and version', async () => {
  const { status, json } = await call(harness, 'GET', '/v1/health');
  expect(status).toBe(200);
  expect(json).toEqual({ status: 'ok', version: '0.0.0-test' });
});
