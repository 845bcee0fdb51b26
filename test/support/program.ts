import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawnChild } from '#worker/standalone/child-process.ts';
import { logFileFor } from './run-logs.ts';

const readyWithinMs = 60_000;

export type Program = ReturnType<typeof runProgram>;

const ownRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a program of the product, such as `api/main.ts`, in its own process. `root` is the folder of the product. */
export const runProgram = (
  file: string,
  env: NodeJS.ProcessEnv,
  words: readonly string[] = [],
  root = ownRoot,
) =>
  runCommand(process.execPath, [join(root, file), ...words], {
    name: file.replaceAll('/', '-'),
    env: { ...process.env, ...env },
  });

type Options = { name: string; env: NodeJS.ProcessEnv; cwd?: string };

/** Starts a command, whose output goes to the logs of the run. It ends with the test run, even if the run is killed. */
export function runCommand(command: string, args: readonly string[], { name, env, ...options }: Options) {
  const logFile = logFileFor(name);
  const child = spawnChild({
    ...options,
    command,
    args,
    logFile,
    // The default ports of metrics may be in use by another process of the machine.
    env: { METRICS_PORT: 'off', CONSOLE_PORT: 'off', ...env },
  });
  const output = () => readFileSync(logFile, 'utf8');
  return {
    pid: child.pid,
    output,
    signal: (name: NodeJS.Signals) => child.running && process.kill(child.pid, name),
    /** Resolves with the exit code, or with null if a signal ended the command. */
    exited: child.exited.then((code) => (typeof code === 'number' ? code : null)),
    async says(text: string): Promise<void> {
      for (const until = Date.now() + readyWithinMs; !output().includes(text); await pause(20))
        if (!child.running || Date.now() > until) throw new Error(`${name} did not start:\n${output()}`);
    },
  };
}
