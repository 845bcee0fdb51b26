import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Container, Service } from './deployment.ts';

/** Mounts that every container gets from its engine, and that the compose file does not choose. */
const ofEngine =
  /^\/(proc|sys|dev)(\/|$)|^\/etc\/(hosts|hostname|resolv\.conf)$|^\/run\/(\.containerenv|secrets)$/;

/** Temporary file systems that podman adds wherever the root is read-only. */
const ofPodman = ['/run', '/var/tmp'];

export type Seen = {
  users: string[];
  capabilities: string[];
  noNewPrivileges: boolean;
  /** The processes without a filter of system calls, by name and state. */
  unfiltered: string[];
  rootIsReadOnly: boolean;
  writable: string[];
  readOnly: string[];
};

/** Reads from /proc what the kernel says about all processes of a container, and about its mounts. */
export function lookAt({ pid }: Container): Seen {
  const beside = processesBeside(pid);
  const processes = statusesOf(beside);
  // A process in a user namespace of its own, such as the one that isolates a decoder, has no capability outside of it.
  const withOurUsers = statusesOf(
    beside.filter((other) => namespaceOf(other, 'user') === namespaceOf(String(pid), 'user')),
  );
  const mounts = mountsOf(pid).filter(({ at }) => !ofEngine.test(at));
  const all = (name: string, statuses = processes) => [
    ...new Set(statuses.map((status) => status[name] ?? '')),
  ];
  const sets = ['CapEff', 'CapPrm', 'CapInh', 'CapBnd', 'CapAmb'];
  return {
    users: all('Uid').map((uids) => [...new Set(uids.split(/\s+/))].join('/')),
    capabilities: [...new Set(sets.flatMap((name) => all(name, withOurUsers)))],
    noNewPrivileges: all('NoNewPrivs').join() === '1',
    unfiltered: processes
      .filter(({ Seccomp }) => Seccomp !== '2')
      .map(({ Name = '', State = '' }) => `${Name}, ${State}`),
    rootIsReadOnly: mounts.every(({ at, writable }) => at !== '/' || !writable),
    writable: mounts.filter(({ at, writable }) => writable && at !== '/').map(({ at }) => at),
    readOnly: mounts.filter(({ at, writable }) => !writable && at !== '/').map(({ at }) => at),
  };
}

/** What was seen, in words: user, capabilities, rights, root, writable and read-only mounts. */
export const cellsOf = (seen: Seen): string[] => [
  `user ${seen.users.join(' and ')}`,
  `capabilities ${seen.capabilities.map((set) => (/^0+$/.test(set) ? 'none' : set)).join(' and ')}`,
  seen.noNewPrivileges ? 'no new privileges' : 'new privileges possible',
  seen.unfiltered.length === 0 ? 'system calls filtered' : 'all system calls',
  `root ${seen.rootIsReadOnly ? 'read-only' : 'writable'}`,
  `writable ${seen.writable.toSorted().join(' ') || 'nothing'}`,
  ...(seen.readOnly.length > 0 ? [`read-only ${seen.readOnly.toSorted().join(' ')}`] : []),
];

/** Says how a container differs from what the compose file promises. An image may have volumes of its own. */
export function faultsOf(promised: Service, ofImage: string[], seen: Seen): string[] {
  const target = (volume: string) => volume.split(':')[1] ?? '';
  const volumes = promised.volumes ?? [];
  const promisedWritable = [
    ...(promised.tmpfs ?? []),
    ...volumes.filter((volume) => !volume.endsWith(':ro')).map(target),
    ...ofImage,
    ...(promised.read_only ? ofPodman : []),
  ].map((at) => at.replace(/^\/var\/run\//, '/run/'));
  const writable = [...new Set(promisedWritable)].sort();
  const faults: string[] = [];
  if (seen.users.some((users) => users.split('/').includes('0'))) faults.push('a process is root');
  if (seen.capabilities.some((set) => !/^0+$/.test(set))) faults.push('a process has capabilities');
  if (!seen.noNewPrivileges) faults.push('a process may get new privileges');
  if (seen.unfiltered.length > 0)
    faults.push(`without a filter of system calls: ${seen.unfiltered.join('; ')}`);
  if (seen.rootIsReadOnly !== (promised.read_only ?? false)) faults.push('the root is not as promised');
  if (seen.writable.toSorted().join() !== writable.join())
    faults.push(`writable are ${seen.writable.join(' ')}, not ${writable.join(' ')}`);
  return faults;
}

function processesBeside(pid: number): string[] {
  const space = namespaceOf(String(pid), 'pid');
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return numbers.filter(
    (number) => space !== undefined && namespaceOf(number, 'pid') === space && !isOfEngine(number),
  );
}

/** True while a process, such as a health check, is still the engine, which gives up its rights and then becomes the program. */
function isOfEngine(pid: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).includes('runc');
  } catch {
    return false;
  }
}

const statusesOf = (pids: readonly string[]) => pids.map(statusOf).filter((status) => status !== undefined);

function namespaceOf(pid: string, kind: 'pid' | 'user'): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/${kind}`);
  } catch {
    return undefined;
  }
}

/**
 * The lines of /proc/PID/status. Undefined if the process, such as a health check, has ended. One that nobody has waited for is still
 * listed, as a zombie: it carries out nothing, and its program, which may have been the engine, is not known any more.
 */
function statusOf(pid: string): Record<string, string> | undefined {
  try {
    const lines = readFileSync(`/proc/${pid}/status`, 'utf8').trim().split('\n');
    const status = Object.fromEntries(lines.map((line) => line.split(/:\s+/)));
    return status.State?.startsWith('Z') ? undefined : status;
  } catch {
    return undefined;
  }
}

function mountsOf(pid: number): { at: string; writable: boolean }[] {
  const lines = readFileSync(`/proc/${pid}/mountinfo`, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [own = '', ofSystem = ''] = line.split(' - ');
    const [at = '', options = ''] = own.split(' ').slice(4);
    const systemOptions = ofSystem.split(' ')[2] ?? '';
    return { at, writable: isWritable(options) && isWritable(systemOptions) };
  });
}

const isWritable = (options: string) => options.split(',').includes('rw');
