import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A tick of /proc is a hundredth of a second on every Linux that Node runs on. */
const msPerTick = 10;

type Stat = { name: string; parent: number; ownMs: number; reapedMs: number };

/** A process and all that descend from it. */
export function familyOf(pid: number): number[] {
  const children = processes().filter((each) => statOf(`/proc/${each}`)?.parent === pid);
  return [pid, ...children.flatMap(familyOf)];
}

/** Processor milliseconds of a process and its family, living or ended, since it began. NaN if there is no /proc. */
export function processorMs(pid: number): number {
  if (statOf(`/proc/${pid}`) === undefined) return Number.NaN;
  const stats = familyOf(pid).flatMap((member) => statOf(`/proc/${member}`) ?? []);
  return stats.reduce((sum, { ownMs, reapedMs }) => sum + ownMs + reapedMs, 0);
}

/** Processor milliseconds of the threads of a process, by their names, since it began. */
export function threadsMsOf(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`;
  const sums = new Map<string, number>();
  for (const thread of readdirSync(folder)) {
    const stat = statOf(`${folder}/${thread}`);
    if (stat === undefined) continue;
    const name = thread === String(pid) ? 'main thread' : stat.name;
    sums.set(name, (sums.get(name) ?? 0) + stat.ownMs);
  }
  return sums;
}

export const processorMsOf = (pids: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, processorMs(pid)]));

/** Resident megabytes of a process and its family, without memory that belongs to files. */
export const memoryMbOf = (pid: number): number =>
  familyOf(pid).reduce((sum, member) => sum + residentMb(member), 0);

function residentMb(pid: number): number {
  try {
    const [, kilobytes = '0'] = /^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1_024;
  } catch {
    return 0;
  }
}

/** Open file handles of a process and its family. `sockets` is the number of sockets among them. */
export function handlesOf(pid: number): { files: number; sockets: number } {
  const targets = familyOf(pid).flatMap(openFiles);
  return {
    files: targets.length,
    sockets: targets.filter((target) => target.startsWith('socket:')).length,
  };
}

function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).flatMap((name) => targetOf(`${folder}/${name}`));
  } catch {
    return [];
  }
}

function targetOf(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    // The process closed the handle meanwhile.
    return [];
  }
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** `folder` is that of a process or of a thread. */
function statOf(folder: string): Stat | undefined {
  try {
    const text = readFileSync(`${folder}/stat`, 'utf8');
    // The name, in parentheses, may contain spaces and parentheses.
    const end = text.lastIndexOf(')');
    const name = text.slice(text.indexOf('(') + 1, end);
    const fields = text.slice(end + 2).split(' ');
    const [parent = 0, user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => Number(fields[at]),
    );
    return {
      ...{ name, parent },
      ownMs: (user + system) * msPerTick,
      reapedMs: (reapedUser + reapedSystem) * msPerTick,
    };
  } catch {
    return undefined;
  }
}
