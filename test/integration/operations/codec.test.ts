import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { runProgram } from '#test/support/program.ts';
import { startCodecEndpoint } from '#worker/commands/parts/codec-endpoint.ts';
import { defaultCacheDir } from '#worker/standalone/cache-dir.ts';
import { findTemporal } from '#worker/standalone/temporal/temporal.ts';

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

test('the command hands its token over in a private file, which goes with it, and prints and passes it nowhere', async () => {
  const { json } = await call(harness, 'POST', '/v1/verifications', { key });
  const workflowId = verificationWorkflowId(json.id);
  await harness.temporal.workflow.getHandle(workflowId).result();
  const command = runProgram('worker/commands/codec.ts', {
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  await command.says('Decrypts until Ctrl-C');
  const file = /^ {2}\. (\S+)$/m.exec(command.output())?.[1] ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const [, given = ''] = /TEMPORAL_CODEC_AUTH='Bearer ([\w-]{32})'/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(given).not.toBe('');
  expect(command.output()).not.toContain(given);
  expect(readFileSync(`/proc/${command.pid}/cmdline`, 'utf8')).not.toContain(given);

  const binary = await findTemporal({ cacheDir: defaultCacheDir(process.env), say: () => undefined });
  const words = ['workflow', 'show', '--address', inject('temporalAddress'), '-w', workflowId, '-o', 'json'];
  const { stdout } = await promisify(execFile)('/bin/sh', [
    '-c',
    '. "$0"; exec "$@"',
    file,
    binary,
    ...words,
  ]);
  const plain = stdout.replaceAll(/"data": "([^"]*)"/g, (_, data) => Buffer.from(data, 'base64').toString());
  expect(plain).toContain(`"verificationId":"${json.id}"`);

  command.signal('SIGINT');
  expect(await command.exited).toBe(0);
  expect(existsSync(file)).toBe(false);
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
