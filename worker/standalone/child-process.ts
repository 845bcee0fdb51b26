import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { StartFault } from '#platform/failures.ts';

export type Child = {
  /** The pid of the command itself. It leads its own process group. */
  pid: number;
  readonly running: boolean;
  /** The exit code, or the name of the signal that ended it. */
  exited: Promise<number | string>;
  /** Sends the signal to the group, and SIGKILL after `graceMs`. Resolves when the process has ended. */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
};

export type ChildOptions = {
  command: string;
  args: readonly string[];
  logFile: string;
  /** The signal for the command if our own process dies. */
  signal?: 'SIGINT' | 'SIGTERM';
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
};

/**
 * The child must not outlive us, and we cannot catch SIGKILL. So a watcher process reads from a pipe whose other end only we
 * hold. A line on it means that the child has ended; end of file means that we died, and then the watcher signals the child.
 * The watcher is forked twice, since Postgres treats an unknown child of its own as a fault. The shell is replaced by the
 * command (exec), so pid, signals and exit code are those of the command.
 */
const watchedCommand = `
umask 077
server=$$
( ( read -r _ <&3 || kill -s "$0" -- "-$server" ) >/dev/null 2>&1 & )
exec "$@" 3<&-`;

/** Starts a program that logs to a file. It ends when our process ends, but Ctrl-C in the terminal does not reach it. */
export function spawnChild({ command, args, logFile, signal = 'SIGTERM', ...options }: ChildOptions): Child {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', watchedCommand, signal.slice(3), command, ...args], {
    ...options,
    detached: true,
    stdio: ['ignore', log, log, 'pipe'],
  });
  closeSync(log);
  child.on('error', () => {});
  const pid = child.pid;
  if (pid === undefined)
    throw new StartFault(`${command} could not be started: /bin/sh is missing or may not be run.`);

  const watcherPipe = child.stdio[3] as Writable;
  watcherPipe.on('error', () => {});
  let running = true;
  const exited = new Promise<number | string>((resolve) => {
    child.once('exit', (code, by) => {
      running = false;
      watcherPipe.end('ended\n');
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
      const killTimer = setTimeout(send, graceMs, 'SIGKILL');
      await exited;
      clearTimeout(killTimer);
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
