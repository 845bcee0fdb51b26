import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { logFileFor } from '#test/support/run-logs.ts';
import { freePort } from '#test/support/servers/free-port.ts';
import { newDataDir } from './support.ts';

const program = new URL('../../../worker/standalone/main.ts', import.meta.url);
const usuallyReadyWithinMs = 60_000;

/** An `npm start` of a test. */
export type Instance = {
  dataDir: string;
  port: number;
  uiPort: number;
  consolePort: number;
  simulatorPort: number;
};
export const newInstance = async (): Promise<Instance> => ({
  dataDir: newDataDir(),
  port: await freePort(),
  uiPort: await freePort(),
  consolePort: await freePort(),
  simulatorPort: await freePort(),
});
export const envOf = ({ dataDir, port, uiPort, consolePort, simulatorPort }: Instance) => ({
  DATA_DIR: dataDir,
  PORT: String(port),
  TEMPORAL_UI_PORT: String(uiPort),
  METRICS_PORT: 'off',
  CONSOLE_PORT: String(consolePort),
  IDIN_SIMULATOR_PORT: String(simulatorPort),
  LOG_LEVEL: 'warn',
});

/** Runs `npm start` and waits until it prints that it is ready. */
export async function start(instance: Instance, readyWithinMs = usuallyReadyWithinMs) {
  const child = spawn(process.execPath, [fileURLToPath(program)], environment(instance));
  const started = await untilReady(child, instance, readyWithinMs, logFileFor('standalone'));
  return { ...started, signal: (signal: NodeJS.Signals) => child.kill(signal) };
}

/**
 * Runs `npm start` at a terminal, which `script` makes. What it prints is kept in no file, because a terminal is shown secrets. `type` types
 * into the terminal.
 */
export async function startAtTerminal(instance: Instance) {
  const [file, path] = [process.execPath, fileURLToPath(program)];
  const args =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', file, path]
      : // Without exec, a plain sh stays between and answers 130 to the Ctrl-C that the product ends with 0.
        ['-qfec', `exec '${file}' '${path}'`, '/dev/null'];
  const child = spawn('script', args, environment(instance));
  const started = await untilReady(child, instance, usuallyReadyWithinMs);
  return { ...started, type: (text: string) => child.stdin.write(text) };
}

const environment = (instance: Instance) => ({ env: { ...process.env, ...envOf(instance) } });

async function untilReady(
  child: ChildProcessWithoutNullStreams,
  { port }: Instance,
  readyWithinMs: number,
  logFile?: string,
) {
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
      if (logFile !== undefined) appendFileSync(logFile, chunk);
    });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const until = Date.now() + readyWithinMs;
  while (!output.includes('Ctrl-C stops everything')) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`did not start:\n${output}`);
    await pause(50);
  }
  return { url: `http://127.0.0.1:${port}`, output: () => output, exited };
}
