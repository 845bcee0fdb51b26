import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Says why servers cannot be frozen here. Undefined if they can. */
export const whyNoFreezing = existsSync('/proc/self/stat')
  ? undefined
  : 'freezing a server needs /proc, to find the processes of that server';

/** Stops a server and its children, as if their machine hung. The returned function continues them. */
export function freeze(pid: number): () => void {
  // The parent is stopped first, so that it starts no further children.
  process.kill(pid, 'SIGSTOP');
  const frozen = [pid, ...childrenOf(pid)];
  for (const each of frozen) process.kill(each, 'SIGSTOP');
  return () => {
    for (const each of frozen.reverse()) process.kill(each, 'SIGCONT');
  };
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
