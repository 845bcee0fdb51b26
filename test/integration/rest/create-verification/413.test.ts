import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, type Harness, startHarness } from '#test/support/harness.ts';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  key = (await harness.key()).key;
});
afterAll(() => harness.stop());

const padded = (sizeBytes: number) => `{${' '.repeat(sizeBytes - 2)}}`;

test('a body of more than 64 KiB is body_too_large', async () => {
  const { status, json } = await call(harness, 'POST', '/v1/verifications', { key, rawBody: padded(65_537) });
  expect(status).toBe(413);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'body_too_large' });
});

test('a body that never says its size is cut off at the same limit', async () => {
  const { hostname, port } = new URL(harness.url);
  const answer = await new Promise<string>((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`POST /v1/verifications HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`);
      socket.write('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n');
      for (let i = 0; i < 5; i++) socket.write(`4000\r\n${' '.repeat(0x4000)}\r\n`);
    });
    socket.on('data', (chunk) => {
      text += chunk;
      if (text.includes('body_too_large')) resolve(text);
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('"code":"body_too_large"');
});

test('a body of exactly 64 KiB is read', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', {
    key,
    rawBody: `{"nope":1${' '.repeat(65_536 - 10)}}`,
  });
  expect(json.error.code).toBe('invalid_parameter');
});
