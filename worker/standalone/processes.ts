import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { systemEnv } from './system-env.ts';

/**
 * Returns a text that identifies a process. A later process with the same pid has a different text. Returns undefined if no such
 * process is running. A zombie is not running.
 */
export function identityOf(pid: number): string | undefined {
  return process.platform === 'linux' ? identityInProc(pid) : identityByPs(pid);
}

/** True if any process has this pid, including a zombie or a process of another user. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns the command line of a process. It is empty if it cannot be read, for example because the process has ended. */
export function commandOf(pid: number): string {
  if (process.platform !== 'linux') return ps(pid, 'command=');
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function identityInProc(pid: number): string | undefined {
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  // The process name is in parentheses and may itself contain spaces and parentheses. So the fields are counted after the last
  // `)`.
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
    return execFileSync('ps', ['-o', columns, '-p', String(pid)], {
      encoding: 'utf8',
      env: systemEnv(),
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
