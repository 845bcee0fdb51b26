import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { StartFault } from '#platform/failures.ts';

export type Tethered = {
  /** The pid of the command itself, not of a shell around it. */
  pid: number;
  readonly running: boolean;
  /** The exit code, or the name of the signal that ended it. */
  exited: Promise<number | string>;
  /** Signals, waits, kills after the grace; resolves once the process is gone. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
};

export type TetherOptions = {
  command: string;
  args: readonly string[];
  logFile: string;
  /** What the command gets when our own process dies without a word. */
  signal?: 'SIGINT' | 'SIGTERM';
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
};

/**
 * Nobody can catch SIGKILL, so a watcher outside our process holds one end of a pipe whose other end only we have: a line
 * means "ended in order", end of file means that we died. It is forked twice, for Postgres would count an own child of
 * unknown purpose as a fault; the shell then becomes the command, so pid, signals and exit code are the command's own.
 */
const leashed = `
umask 077
server=$$
( ( read -r _ <&3 || kill -s "$0" -- "-$server" ) >/dev/null 2>&1 & )
exec "$@" 3<&-`;

/** Starts a server that the terminal's Ctrl-C does not reach, that logs to a file, and that does not outlive us. */
export function spawnTethered({
  command,
  args,
  logFile,
  signal = 'SIGTERM',
  ...options
}: TetherOptions): Tethered {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', leashed, signal.slice(3), command, ...args], {
    ...options,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  child.on('error', () => {});
  const pid = child.pid;
  if (pid === undefined)
    throw new StartFault(`${command} could not be started: /bin/sh is missing or may not be run.`);

  const leash = child.stdio[3] as Writable;
  leash.on('error', () => {});
  let running = true;
  const exited = new Promise<number | string>((resolve) => {
    child.once('exit', (code, by) => {
      running = false;
      leash.end('ended\n');
      resolve(code ?? by ?? 'unknown');
    });
  });

  return {
    pid,
    exited,
    get running() {
      return running;
    },
    async stop(signal, graceMs) {
      const send = (name: NodeJS.Signals) => running && signalGroup(pid, name);
      send(signal);
      const impatience = setTimeout(send, graceMs, 'SIGKILL');
      await exited;
      clearTimeout(impatience);
    },
  };
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
