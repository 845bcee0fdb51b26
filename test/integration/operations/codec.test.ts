import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { startCodecEndpoint } from '#worker/codec-endpoint.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { findTemporal } from '#worker/standalone/temporal.ts';

const harness = await startHarness();
const token = 'a-token-of-this-test';
const { url, stop } = await startCodecEndpoint({ codec: harness.codec, token, port: 0 });
atTheEnd(stop);
const { key } = await harness.key();

const post = (path: string, body: string, authorization = `Bearer ${token}`) =>
  fetch(`${url}${path}`, { method: 'POST', headers: { authorization }, body });
const statusOf = async (answer: Promise<Response>) => (await answer).status;

test('Temporal’s command line shows inputs and results to whoever has the token', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const workflowId = verificationWorkflowId(json.id);
  await harness.temporal.workflow.getHandle(workflowId).result();
  const binary = await findTemporal({ cacheDir: defaultCacheDir(process.env), say: () => undefined });
  const show = async (...more: string[]) => {
    const shown = [
      'workflow',
      'show',
      '--address',
      inject('temporalAddress'),
      '-w',
      workflowId,
      '-o',
      'json',
    ];
    const { stdout } = await promisify(execFile)(binary, [...shown, ...more]);
    return stdout.replaceAll(/"data": "([^"]*)"/g, (_, data) => Buffer.from(data, 'base64').toString());
  };
  expect(await show()).not.toContain('verificationId');
  const decoded = await show('--codec-endpoint', url, '--codec-auth', `Bearer ${token}`);
  expect(decoded).toContain(`"verificationId":"${json.id}"`);
  expect(decoded).toContain('"status":"completed"');
});

test('nobody else decodes, and nobody encodes', async () => {
  expect(await statusOf(post('/decode', '{"payloads":[]}', 'Bearer another'))).toBe(401);
  expect(await statusOf(fetch(`${url}/decode`, { method: 'POST' }))).toBe(401);
  expect(await statusOf(post('/encode', '{"payloads":[]}'))).toBe(404);
  expect(await statusOf(post('/decode', 'no JSON'))).toBe(400);
  expect(await statusOf(post('/decode', '{"payloads":[{"data":7}]}'))).toBe(400);
});

test('a value that the product did not encrypt is returned as it is', async () => {
  const body = JSON.stringify({ payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'e30=' }] });
  expect(await (await post('/decode', body)).json()).toEqual(JSON.parse(body));
});
