import { cpSync, statfsSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '#platform/free-port.ts';
import { oneLine, outcomeOf, run } from './commands.ts';
import { packFiles, withDependencies } from './debian-files.ts';
import type { Driver, Engine } from './engine.ts';

/** Room for all images of the test, in GB. */
const roomGb: Record<Driver, number> = { overlay: 10, vfs: 60 };

/**
 * Says in one line why this machine cannot run the containers of the test. Undefined if it can: an image was built, and two of its
 * containers reached each other, this machine, and a port that this machine sees.
 */
export async function whyNoContainers(engine: Engine): Promise<string | undefined> {
  const freeGb = freeGbOf(engine.folder);
  if (freeGb < roomGb[engine.driver]) return `${roomGb[engine.driver]} GB are needed in ${engine.folder}`;
  const folder = join(engine.folder, 'trial');
  const port = String(await freePort());
  const compose = { cwd: folder, env: { ...engine.env, TRIAL_PORT: port, COMPOSE_HTTP_TIMEOUT: '600' } };
  try {
    await buildImage(engine, folder);
    await run('docker-compose', ['up', '--detach'], compose);
    await reach('127.0.0.1', Number(port));
    await insideReaches('first', 'second', 8080);
    await reachThisMachine();
    await isHealthy();
    return undefined;
  } catch (error) {
    return `a container does not run here: ${oneLine(error)}`;
  } finally {
    await outcomeOf('docker-compose', ['down', '--volumes', '--timeout', '0'], compose);
  }

  async function insideReaches(service: string, host: string, at: number): Promise<void> {
    const look = ['nc.openbsd', '-z', '-w', '30', host, String(at)];
    await run('docker-compose', ['exec', '-T', service, ...look], compose);
  }

  /** From a container, as an event reaches its receiver. */
  async function reachThisMachine(): Promise<void> {
    const [network] = JSON.parse(await engine.podman('network', 'inspect', 'trial_outside'));
    const address: string = network.subnets[0].gateway;
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, address, resolve));
    const bound = server.address();
    try {
      await insideReaches('first', address, typeof bound === 'object' ? (bound?.port ?? 0) : 0);
    } finally {
      server.close();
    }
  }

  async function isHealthy(): Promise<void> {
    const id = (await run('docker-compose', ['ps', '-q', 'first'], compose)).trim();
    for (const until = Date.now() + 120_000; ; await pause(500)) {
      const state = await engine.podman('inspect', '--format', '{{.State.Health.Status}}', id);
      if (state.trim() === 'healthy') return;
      if (Date.now() > until) throw new Error(`its check says ${state.trim()}`);
    }
  }
}

function freeGbOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return (bavail * bsize) / 1e9;
}

async function buildImage(engine: Engine, folder: string): Promise<void> {
  cpSync(join(import.meta.dirname, 'trial'), folder, { recursive: true });
  const archive = join(folder, 'trial.tar');
  await packFiles(await withDependencies(['dash', 'netcat-openbsd']), archive, `${archive}.list`);
  await engine.podman('build', '--quiet', '--pull=never', '--layers=false', '--tag', 'trial:1', folder);
}

/** Waits until something takes connections there. */
async function reach(host: string, port: number): Promise<void> {
  const once = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host, port, timeout: 5_000 });
      const end = (isThere: boolean) => {
        socket.destroy();
        resolve(isThere);
      };
      socket.once('connect', () => end(true));
      socket.once('error', () => end(false));
      socket.once('timeout', () => end(false));
    });
  for (const until = Date.now() + 120_000; !(await once()); await pause(500))
    if (Date.now() > until) throw new Error('its published port takes no connections');
}
