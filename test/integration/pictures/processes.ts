import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What the kernel says of a process. Undefined if it has ended. */
export const read = (pid: number, file: string): string | undefined =>
  unlessEnded(() => readFileSync(`/proc/${pid}/${file}`, 'utf8'));
export const link = (pid: number, file: string): string | undefined =>
  unlessEnded(() => readlinkSync(`/proc/${pid}/${file}`));
export const openFiles = (pid: number): string[] =>
  (unlessEnded(() => readdirSync(`/proc/${pid}/fd`)) ?? []).map((fd) => link(pid, join('fd', fd)) ?? '');

function unlessEnded<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

const parentOf = (pid: number): number => Number(/^PPid:\s(\d+)/m.exec(read(pid, 'status') ?? '')?.[1] ?? 0);
const descendsFrom = (pid: number, ancestor: number): boolean =>
  pid === ancestor || (pid > 1 && descendsFrom(parentOf(pid), ancestor));

/** The processes of Node below `ancestor` that run this program. */
export const programsBelow = (ancestor: number, program: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isNodeWith(program, read(pid, 'cmdline')) && descendsFrom(pid, ancestor));

const isNodeWith = (program: string, commandLine = ''): boolean => {
  const [command, ...words] = commandLine.split('\0');
  return command === process.execPath && words.some((word) => word.endsWith(program));
};
