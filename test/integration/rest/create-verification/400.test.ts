import { expect, test } from 'vitest';
import { covers } from '#test/requirements.ts';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

test.each([
  ['cut off', '{"method":'],
  ['not JSON', 'method=idin'],
  ['only white space', '   '],
  ['with a comment', '{} // nothing'],
  ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
])('a body that is %s is invalid_json', async (_, rawBody) => {
  covers('7.1/400-invalid-json');
  const { status, json, headers } = await call(harness, 'POST', '/v1/verifications', { key, rawBody });
  expect(status).toBe(400);
  expect(json).toEqual({
    error: {
      type: 'invalid_request_error',
      code: 'invalid_json',
      message: 'The body is not valid JSON.',
      request_id: headers['x-request-id'],
    },
  });
});
