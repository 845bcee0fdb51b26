import { existsSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executables } from '#worker/standalone/executables.ts';
import { outcomeOf } from './commands.ts';
import { postgresPrograms } from './stand-ins.ts';

const pathOfRoot = `${process.env.PATH}:/usr/sbin:/sbin:/bin`;

/** The programs with the packages of Debian that have them. */
const programs = {
  podman: 'podman',
  netavark: 'netavark',
  'aardvark-dns': 'aardvark-dns',
  runc: 'runc',
  'docker-compose': 'docker-compose',
  'redis-server': 'redis-server',
  'nc.openbsd': 'netcat-openbsd',
  iptables: 'iptables',
  ip: 'iproute2',
  git: 'git',
  openssl: 'openssl',
  dpkg: 'dpkg',
};

/** Says why this machine cannot run the test. Undefined if it can. */
export async function whyNot(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'containers need Linux';
  if (!isDebian()) return 'its images are made of the packages of Debian, and this is another system';
  if (process.getuid?.() !== 0) return 'it needs root, because networks between containers do';
  const missing = Object.entries(programs).flatMap(([program, name]) =>
    executables(program, `${pathOfRoot}:/usr/lib/podman`).length === 0 ? [name] : [],
  );
  if (postgresPrograms() === '') missing.push('postgresql');
  if (missing.length > 0) return `missing: ${missing.join(', ')} (apt-get install ${missing.join(' ')})`;
  return whyNamespacesFail();
}

function isDebian(): boolean {
  const file = '/etc/os-release';
  return existsSync(file) && /^ID=debian$/m.test(readFileSync(file, 'utf8'));
}

/**
 * A process with namespaces of its own, a network that translates addresses, and groups of processes are what a container is made of.
 */
async function whyNamespacesFail(): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'namespaces-'));
  const tries = `mount -t tmpfs tmpfs ${folder} && iptables --table nat --list >&2`;
  const words = ['--mount', '--pid', '--net', '--fork', 'sh', '-c', tries];
  const env = { ...process.env, PATH: pathOfRoot };
  const { status, all } = await outcomeOf('unshare', words, { env });
  rmSync(folder, { recursive: true });
  if (status !== 0) return `the kernel lets nobody make containers here (${all.trim()})`;
  return whyGroupsFail();
}

/** Groups are in one tree, or in a tree for each kind of limit. */
function whyGroupsFail(): string | undefined {
  const trees = ['/sys/fs/cgroup', '/sys/fs/cgroup/pids'].filter((tree) =>
    existsSync(join(tree, 'cgroup.procs')),
  );
  if (trees.length === 0) return 'no groups of processes (cgroups) are mounted here';
  try {
    const group = mkdtempSync(join(trees[0] ?? '', 'verification-'));
    rmdirSync(group);
    return undefined;
  } catch (error) {
    return `no group of processes can be made here (${error})`;
  }
}
