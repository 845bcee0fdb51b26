import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test.each([
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/vnd.api+json' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': '' },
  { 'content-encoding': 'gzip' },
])('a body sent as %o is unsupported_media_type, never taken for no body', async (headers) => {
  covers('4/content-type', '2/json-bodies');
  const { status, json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    rawBody: '{}',
    headers: headers as Record<string, string>,
  });
  expect(status).toBe(415);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'unsupported_media_type' });
});

test('application/json with charset utf-8 is read', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    rawBody: '{"nope":1}',
    headers: { 'content-type': 'Application/JSON; charset="UTF-8"' },
  });
  expect(json.error.code).toBe('invalid_parameter');
});
