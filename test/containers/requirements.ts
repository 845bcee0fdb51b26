import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executables } from '#worker/standalone/executables.ts';
import { outcomeOf } from './commands.ts';
import { postgresPrograms } from './stand-ins.ts';

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
  git: 'git',
  openssl: 'openssl',
  dpkg: 'dpkg',
};

/** Says why this machine cannot run the test. Undefined if it can. */
export async function whyNot(): Promise<string | undefined> {
  if (process.platform !== 'linux') return 'containers need Linux';
  if (process.getuid?.() !== 0) return 'it needs root, because networks between containers do';
  const path = `${process.env.PATH}:/usr/sbin:/sbin:/bin:/usr/lib/podman`;
  const missing = Object.entries(programs).flatMap(([program, name]) =>
    executables(program, path).length === 0 ? [name] : [],
  );
  if (postgresPrograms() === '') missing.push('postgresql');
  if (missing.length > 0) return `missing: ${missing.join(', ')} (apt-get install ${missing.join(' ')})`;
  return whyNamespacesFail();
}

/** A process with namespaces of its own is what a container is made of. */
async function whyNamespacesFail(): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'namespaces-'));
  const words = ['--mount', '--pid', '--net', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', folder];
  const { status, all } = await outcomeOf('unshare', words);
  rmSync(folder, { recursive: true });
  return status === 0 ? undefined : `the kernel lets nobody make containers here (${all.trim()})`;
}
