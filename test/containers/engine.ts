import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keepBridgeAddresses } from './bridges.ts';
import { outcomeOf, run, startCommand } from './commands.ts';
import { keepChecking } from './health.ts';
import { startSocket } from './socket.ts';

export type Engine = Awaited<ReturnType<typeof startEngine>>;

/** How podman stores images. Overlay is quick, but not every machine can mount it. Vfs copies every layer. */
const drivers = ['overlay', 'vfs'] as const;
export type Driver = (typeof drivers)[number];

/** Podman's networks, in which the receiver of events is. */
export const networks = '10.231.0.0/16';
const networksPrefix = networks.replace('0.0/16', '');

/**
 * Starts podman with images, containers, volumes and networks in a folder of its own, so that nothing on the machine is touched or
 * left. Its API is served on a socket, which a compose program uses like Docker's.
 */
export async function startEngine() {
  const folder = mkdtempSync(join(tmpdir(), 'containers-'));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    CONTAINERS_CONF: join(folder, 'containers.conf'),
    CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
    TMPDIR: join(folder, 'tmp'),
  };
  mkdirSync(join(folder, 'tmp'));
  writeFileSync(join(folder, 'containers.conf'), containersConf(folder));
  const podman = (...args: string[]) => run('podman', args, { env });
  const driver = await chooseStorage(folder, env);

  const serviceLog = join(folder, 'service.log');
  const service = startCommand(
    'podman',
    ['system', 'service', '--time', '0', `unix://${join(folder, 'podman.sock')}`],
    env,
    serviceLog,
  );
  const socket = await startSocket(join(folder, 'docker.sock'), join(folder, 'podman.sock'));
  env.DOCKER_HOST = `unix://${join(folder, 'docker.sock')}`;
  const checks = keepChecking(env);
  const addresses = keepBridgeAddresses(networksPrefix, env);

  return {
    folder,
    env,
    driver,
    podman,
    serviceLog,
    /** Removes whatever is left, and the folder. */
    async stop(): Promise<void> {
      await Promise.all([checks.stop(), addresses.stop()]);
      await outcomeOf('podman', ['rm', '--all', '--force', '--volumes', '--time', '2'], { env });
      await outcomeOf('podman', ['network', 'prune', '--force'], { env });
      socket.stop();
      await service.stop();
      await removeStorage(folder, env);
    },
  };
}

/**
 * What a machine without systemd and without CAP_SYS_RESOURCE needs: runc, cgroupfs, and limits that may be set. Locks are files,
 * because locks in shared memory are shared with other folders of podman.
 */
const containersConf = (folder: string) => `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
log_driver = "k8s-file"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
events_logfile_path = "${folder}/events"
lock_type = "file"
tmp_dir = "${folder}/run"
volume_path = "${folder}/volumes"
image_default_format = "docker"
[network]
network_backend = "netavark"
network_config_dir = "${folder}/networks"
default_subnet_pools = [{ base = "${networks}", size = 24 }]
`;

async function chooseStorage(folder: string, env: NodeJS.ProcessEnv): Promise<Driver> {
  const reasons: string[] = [];
  for (const driver of drivers) {
    rmSync(join(folder, 'images'), { recursive: true, force: true });
    const [graph, run] = [join(folder, 'images'), join(folder, 'runroot')];
    const lines = `[storage]\ndriver = "${driver}"\ngraphroot = "${graph}"\nrunroot = "${run}"\n`;
    writeFileSync(join(folder, 'storage.conf'), lines);
    const { status, all } = await outcomeOf('podman', ['info'], { env });
    if (status === 0) return driver;
    reasons.push(all);
  }
  rmSync(folder, { recursive: true });
  throw new Error(`podman does not start:\n${reasons.join('\n')}`);
}

async function removeStorage(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await outcomeOf('podman', ['system', 'reset', '--force'], { env });
  for (const until = Date.now() + 60_000; ; await pause(250)) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (Date.now() > until) throw error;
      // A mount of a container that has just ended is still there.
      await unmountBelow(folder);
    }
  }
}

async function unmountBelow(folder: string): Promise<void> {
  const places = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((place) => place.startsWith(`${folder}/`));
  // The deepest first.
  for (const place of places.sort().reverse()) await outcomeOf('umount', ['--lazy', place]);
}
