import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { onTestFinished, vi } from 'vitest';
import { freePort } from '#test/support/servers/free-port.ts';
import { spawnChild } from '#worker/standalone/child-process.ts';

const readyWithinMs = 10_000;

/** Says why tests on a real Redis are skipped. Undefined if redis-server can run. */
export const redisMissing =
  spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : 'redis-server is not installed (Debian: apt-get install redis-server)';

/** Starts a Redis for one test, and stops it after the test. */
export async function startRedis() {
  const redis = await launchRedis();
  onTestFinished(redis.kill);
  return redis;
}

/** Starts a Redis on loopback without persistence, so that a kill loses its counts. */
export async function launchRedis() {
  const port = await freePort();
  let child = launch(port);
  await listening(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill: () => child.stop('SIGKILL', readyWithinMs),
    /** Starts Redis again on the same port, after `kill`. */
    start: async () => {
      child = launch(port);
      await listening(port);
    },
    /** Suspends the process. Connections stay open and nothing is answered. */
    freeze: () => process.kill(child.pid, 'SIGSTOP'),
    thaw: () => process.kill(child.pid, 'SIGCONT'),
  };
}

/** The process ends with the test run, even if the run is killed. */
function launch(port: number) {
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawnChild({ command: 'redis-server', args, logFile: '/dev/null' });
}

async function listening(port: number): Promise<void> {
  const client = new Redis(port, '127.0.0.1', { retryStrategy: () => 20 });
  client.on('error', () => undefined);
  try {
    await vi.waitUntil(() => client.status === 'ready', { timeout: readyWithinMs, interval: 10 });
  } finally {
    client.disconnect();
  }
}
