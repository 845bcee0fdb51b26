import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.stop());

test.each([
  '/',
  '/v1',
  '/v1/nope',
  '/v2/verifications',
  '/verifications',
  '/v1/verifications/x/y',
  '/v1/%E0%A4%A',
])('%s is not_found, as JSON with a request id', async (path) => {
  const { status, json, headers } = await call(harness, 'GET', path);
  expect(status).toBe(404);
  expect(json.error).toMatchObject({ type: 'not_found_error', code: 'not_found' });
  expect(json.error.request_id).toBe(headers['x-request-id']);
});
