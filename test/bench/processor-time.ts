import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of /proc are hundredths of a second on every Linux that Node runs on. */
const msPerTick = 10;

type Stat = { parent: number; ownMs: number; reapedMs: number };

/** Processor milliseconds of a process and its children, dead or alive, since it began; undefined where there is no /proc. */
export function processorMs(pid: number): number | undefined {
  const stat = statOf(pid);
  if (stat === undefined) return undefined;
  const children = processes().flatMap((child) => statOf(child) ?? []);
  return children
    .filter(({ parent }) => parent === pid)
    .reduce((sum, { ownMs }) => sum + ownMs, stat.ownMs + stat.reapedMs);
}

function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [parent = 0, user = 0, system = 0, reapedUser = 0, reapedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => Number(fields[at]),
    );
    return { parent, ownMs: (user + system) * msPerTick, reapedMs: (reapedUser + reapedSystem) * msPerTick };
  } catch {
    return undefined;
  }
}
