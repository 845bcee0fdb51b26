import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { request } from 'undici';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { freePort } from '#test/support/servers/free-port.ts';

const harness = await startHarness({ worker: false });

test('without a reader of its log the API goes on answering, and stops when it is told to', async () => {
  const port = await freePort();
  const api = spawn(process.execPath, [join(import.meta.dirname, '../../../api/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: harness.databaseUrl,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      PORT: String(port),
      METRICS_PORT: 'off',
      CONSOLE_PORT: 'off',
    },
  });
  onTestFinished(() => void api.kill('SIGKILL'));
  const ended = once(api, 'exit');
  await once(api.stdout, 'data');
  api.stdout.destroy();
  api.stderr.destroy();
  for (let n = 0; n < 20; n++) {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/v1/health`);
    await body.dump();
    expect(statusCode).toBe(200);
  }
  api.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});
