import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { spawnChild } from '#worker/standalone/child-process.ts';
import { logFileFor } from './run-logs.ts';

const readyWithinMs = 30_000;

export type Program = ReturnType<typeof runProgram>;

/** A program of the product as a process of its own, such as `api/main.ts`. */
export const runProgram = (file: string, env: NodeJS.ProcessEnv, words: readonly string[] = []) =>
  runCommand(process.execPath, [fileURLToPath(new URL(`../../${file}`, import.meta.url)), ...words], {
    name: file.replaceAll('/', '-'),
    env: { ...process.env, ...env },
  });

type Options = { name: string; env: NodeJS.ProcessEnv; cwd?: string };

/** A command whose output is among the run's logs. It does not outlive the test run, however that ends. */
export function runCommand(command: string, args: readonly string[], { name, env, ...options }: Options) {
  const logFile = logFileFor(name);
  const child = spawnChild({
    ...options,
    command,
    args,
    logFile,
    // Any process of the machine may have the ports that metrics are served at unless told otherwise.
    env: { METRICS_PORT: 'off', ...env },
  });
  const output = () => readFileSync(logFile, 'utf8');
  return {
    pid: child.pid,
    output,
    signal: (name: NodeJS.Signals) => child.running && process.kill(child.pid, name),
    /** Null when a signal ended it. */
    exited: child.exited.then((code) => (typeof code === 'number' ? code : null)),
    async says(text: string): Promise<void> {
      for (const until = Date.now() + readyWithinMs; !output().includes(text); await pause(20))
        if (!child.running || Date.now() > until) throw new Error(`${name} did not start:\n${output()}`);
    },
  };
}
