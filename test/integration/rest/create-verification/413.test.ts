import { connect } from 'node:net';
import { expect, test, vi } from 'vitest';
import { call, startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });
const { key } = await harness.key();

const padded = (sizeBytes: number) => `{${' '.repeat(sizeBytes - 2)}}`;

test('a body of more than 64 KiB is body_too_large', async () => {
  const { status, json } = await call(harness, 'POST', '/v1/verifications', { key, rawBody: padded(65_537) });
  expect(status).toBe(413);
  expect(json.error).toMatchObject({ type: 'invalid_request_error', code: 'body_too_large' });
});

test('a body of undeclared size is cut off at the same limit', async () => {
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
      if (text.includes('body_too_large')) socket.destroy();
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

test('a sender that does not stop gets 413 all the same, and the connection goes on working', async () => {
  const { hostname, port } = new URL(harness.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  const lost = new Promise<never>((_, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
  });
  const answers = () => text.match(/HTTP\/1\.1 \d{3}/g) ?? [];
  const head = (sizeBytes: number) =>
    `POST /v1/verifications HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${sizeBytes}\r\n\r\n`;
  const rest = Buffer.alloc(3_000_000, ' ');
  const story = async () => {
    socket.write(head(rest.length));
    await vi.waitFor(() => expect(answers()).toEqual(['HTTP/1.1 413']), { timeout: 5_000 });
    socket.write(rest);
    socket.write(`${head(1)}{`);
    await vi.waitFor(() => expect(answers()).toEqual(['HTTP/1.1 413', 'HTTP/1.1 400']), { timeout: 5_000 });
  };
  try {
    await Promise.race([story(), lost]);
  } finally {
    socket.removeAllListeners('close').destroy();
  }
});
