import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ErrorBody } from '#contract/error-body.ts';
import { covers } from '#test/requirements.ts';
import { startHarness } from '#test/support/harness.ts';

const harness = await startHarness({ worker: false });

const raw = (request: string) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(harness.url);
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(request));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

test.each([
  [
    'headers of 20 KB',
    `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'geheim'.repeat(4_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['no HTTP at all', 'geheim\r\n\r\n', 400, 'malformed_request'],
  ['no Host', 'GET /v1/verifications?geheim HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'malformed_request'],
  [
    'an expectation of something else',
    'GET /v1/nothing HTTP/1.1\r\nHost: x\r\nExpect: geheim\r\nConnection: close\r\n\r\n',
    404,
    'not_found',
  ],
  ['an unknown method', 'GEHEIM /v1/health HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'malformed_request'],
])('%s is answered in the one format of errors, without what was sent', async (_, request, status, code) => {
  covers('4/rate-limit-headers');
  const answer = await raw(request);
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const { error } = ErrorBody.parse(JSON.parse(body));
  expect(error.code).toBe(code);
  expect(head).toContain(`X-Request-Id: ${error.request_id}`);
  expect(head).toMatch(/^X-RateLimit-Limit: 60\r\nX-RateLimit-Remaining: 60\r$/m);
  expect(answer.toLowerCase()).not.toContain('geheim');
});
