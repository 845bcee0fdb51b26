import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Tells a process from a later one that got the same pid. Undefined when no such process runs; one that has ended and only
 * waits to be reaped does not run.
 */
export function identityOf(pid: number): string | undefined {
  return process.platform === 'linux' ? identityInProc(pid) : identityByPs(pid);
}

/** Whether a signal to this pid would find anybody, be it a process of another user or an unreaped one. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The command line of a process, its parts joined by blanks. */
export function commandOf(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=');
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function identityInProc(pid: number): string | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The name in brackets may hold blanks and brackets itself, so fields count from the last bracket on.
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startTicks = fields[18];
  if (startTicks === undefined || state === 'Z' || state === 'X') return undefined;
  return `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()} ${startTicks}`;
}

function identityByPs(pid: number): string | undefined {
  const [state, ...started] = ps(pid, 'stat=,lstart=').split(/\s+/);
  if (!state || state.startsWith('Z')) return undefined;
  return started.join(' ');
}

function ps(pid: number, columns: string): string {
  try {
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], {
      encoding: 'utf8',
      env,
      stdio: 'pipe',
    }).trim();
  } catch {
    return '';
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
