import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { logFileFor } from './run-logs.ts';

const readyWithinMs = 30_000;

export type Program = ReturnType<typeof runProgram>;

/** A program of the product as a process of its own, such as `api/main.ts`. */
export function runProgram(file: string, env: NodeJS.ProcessEnv, words: readonly string[] = []) {
  const path = fileURLToPath(new URL(`../../${file}`, import.meta.url));
  // Any process of the machine may have the ports that metrics are served at unless told otherwise.
  const own = { ...process.env, METRICS_PORT: 'off', ...env };
  const child: ChildProcess = spawn(process.execPath, [path, ...words], { env: own });
  let output = '';
  const logFile = logFileFor(file.replaceAll('/', '-'));
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => {
      output += chunk;
      appendFileSync(logFile, chunk);
    });
  return {
    pid: child.pid,
    output: () => output,
    signal: (name: NodeJS.Signals) => child.kill(name),
    exited: once(child, 'exit').then(([code]) => code as number | null),
    async says(text: string): Promise<void> {
      for (const until = Date.now() + readyWithinMs; !output.includes(text); await pause(20))
        if (child.exitCode !== null || Date.now() > until)
          throw new Error(`${file} did not start:\n${output}`);
    },
  };
}
