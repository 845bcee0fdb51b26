import { expect, test } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

test.each([
  ['PUT', '/v1/verifications', 'POST, HEAD, GET'],
  ['DELETE', '/v1/verifications/x/complete', 'POST'],
  ['POST', '/v1/health', 'HEAD, GET'],
] as const)('%s %s is method_not_allowed and names what is allowed', async (method, path, allow) => {
  const { status, json, headers } = await call(harness, method, path);
  expect(status).toBe(405);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'method_not_allowed' });
  expect(headers.allow).toBe(allow);
});
