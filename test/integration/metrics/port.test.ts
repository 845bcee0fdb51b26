import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { startHarness } from '#test/support/harness.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { newDataDir } from '../standalone/support.ts';

const { databaseUrl } = await startHarness({ worker: false });

/** Returns a port on which another server listens. */
async function takenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function run(program: string, metricsPort: string | number) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(`../../../${program}`, import.meta.url))], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      DATA_DIR: newDataDir(),
      PORT: String(await freePort()),
      METRICS_PORT: String(metricsPort),
      CONSOLE_PORT: 'off',
      LOG_FORMAT: 'json',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  return { child, stdout: () => stdout, stderr: text(child.stderr), exited: once(child, 'exit') };
}

test.each(['api/main.ts', 'worker/main.ts'])(
  '%s does not start on a port in use, and says what to do',
  async (program) => {
    const port = await takenPort();
    const { stderr, exited } = await run(program, port);
    expect(await exited).toEqual([69, null]);
    expect(await stderr).toBe(
      `Port ${port} on 127.0.0.1, for metrics, is in use: choose another with METRICS_PORT, or METRICS_PORT=off.\n`,
    );
  },
);

test('npm start goes on without metrics, and says so in one line', async () => {
  const port = await takenPort();
  const { child, stdout, exited } = await run('worker/standalone/main.ts', port);
  await vi.waitFor(() => expect(stdout()).toContain('Ctrl-C stops everything'), { timeout: 30_000 });
  expect(stdout().match(/^No metrics: .*$/gm)).toEqual([
    `No metrics: Port ${port} on 127.0.0.1, for metrics, is in use: choose another with METRICS_PORT, or METRICS_PORT=off.`,
  ]);
  expect(stdout()).toMatch(/^ {2}Metrics +not served$/m);
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});

test('npm start serves API, worker and Temporal on one page', async () => {
  const port = await freePort();
  const { child, stdout, exited } = await run('worker/standalone/main.ts', port);
  await vi.waitFor(() => expect(stdout()).toContain('Ctrl-C stops everything'), { timeout: 30_000 });
  const url = `http://127.0.0.1:${port}/metrics`;
  expect(stdout()).toContain(url);
  const page = await (await fetch(url)).text();
  for (const name of ['rate_limit_store', 'webhook_deliveries_open', 'temporal_worker_task_slots_available'])
    expect(page).toContain(`\n${name}{`);
  child.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});

test('METRICS_PORT=off serves none', async () => {
  const { child, stdout, exited } = await run('api/main.ts', 'off');
  await vi.waitFor(() => expect(stdout()).toContain('API listens'), { timeout: 20_000 });
  const line =
    stdout()
      .split('\n')
      .find((each) => each.includes('API listens')) ?? '{}';
  expect(JSON.parse(line)).not.toHaveProperty('metrics_port');
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
