import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { StartFault } from '#platform/failures.ts';
import { systemEnv } from './system-env.ts';

export type Child = {
  /** The pid of the command, which leads its own process group. */
  pid: number;
  readonly running: boolean;
  /** Resolves with the exit code, or with the name of the signal that ended the process. */
  exited: Promise<number | string>;
  /**
   * Sends the signal to the process, or SIGKILL to its whole group. If the process still runs after `graceMs`, sends SIGKILL.
   * Resolves when the process has ended.
   */
  stop(signal: NodeJS.Signals, graceMs: number): Promise<void>;
};

export type ChildOptions = {
  command: string;
  args: readonly string[];
  logFile: string;
  /** The signal that the command gets if our own process dies. */
  signal?: 'SIGINT' | 'SIGTERM';
  /** If it is not given, the command gets nothing of ours but what any program needs. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
};

/**
 * The child must not outlive our process, which cannot catch SIGKILL. So a watcher process reads from a pipe, and only our
 * process holds the write end. If the watcher reads a line, the child has ended. If the watcher reads end of file, our process
 * has died, and the watcher signals the child. The watcher is forked twice, because Postgres treats an unknown child process of
 * its own as a fault. The command replaces the shell (exec), so pid, signals and exit code are those of the command. Only the
 * command gets the signal, because it ends its own children in order. A SIGINT to the checkpointer of Postgres would write the last
 * checkpoint too early.
 */
const watchedCommand = `
umask 077
server=$$
( ( read -r _ <&3 || kill -s "$0" "$server" ) >/dev/null 2>&1 & )
exec "$@" 3<&-`;

/** Starts a program that logs to a file. The program ends when our process ends, but Ctrl-C in the terminal does not reach it. */
export function spawnChild({
  command,
  args,
  logFile,
  signal = 'SIGTERM',
  env = systemEnv(),
  ...options
}: ChildOptions): Child {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn('/bin/sh', ['-c', watchedCommand, signal.slice(3), command, ...args], {
    ...options,
    env,
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
      const send = (name: NodeJS.Signals) => running && signalTo(name === 'SIGKILL' ? -pid : pid, name);
      send(signal);
      const killTimer = setTimeout(send, graceMs, 'SIGKILL');
      await exited;
      clearTimeout(killTimer);
    },
  };
}

function signalTo(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
