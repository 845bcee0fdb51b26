import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { startHarness } from '#test/support/harness.ts';
import { message, rpc } from '#test/support/people/agent.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

const ofSize = (bytes: number) => {
  const frame = JSON.stringify(message('ping', { a: '' }));
  return JSON.stringify(message('ping', { a: 'x'.repeat(bytes - frame.length) }));
};

test('64 KiB are read and one byte more is 413, also without a key', async () => {
  const { status } = await rpc(harness, undefined, { key, rawBody: ofSize(limits.bodySizeBytesMax) });
  expect(status).toBe(200);
  for (const itsKey of [key, undefined]) {
    const { status, json } = await rpc(harness, undefined, {
      key: itsKey,
      rawBody: ofSize(limits.bodySizeBytesMax + 1),
    });
    expect(status).toBe(413);
    expect(json.error).toMatchObject({ code: -32600, data: { code: 'body_too_large' } });
  }
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/xml',
])('a body of type %s is 415', async (type) => {
  const { status, json } = await rpc(harness, message('ping'), { key, headers: { 'content-type': type } });
  expect(status).toBe(415);
  expect(json.error).toMatchObject({ code: -32600, data: { code: 'unsupported_media_type' } });
});
