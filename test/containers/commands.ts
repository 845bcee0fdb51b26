import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';

type Options = { env?: NodeJS.ProcessEnv; cwd?: string; timeoutMs?: number };

/** Runs a command and returns its standard output. Throws an error with the end of everything it wrote if the command fails. */
export async function run(command: string, args: readonly string[], options: Options = {}): Promise<string> {
  const { status, stdout, all } = await outcomeOf(command, args, options);
  if (status !== 0)
    throw new Error(`${command} ${args.join(' ').slice(0, 300)} ended with ${status}:\n${endOf(all)}`);
  return stdout;
}

/** Runs a command, and returns its exit code (or the name of its signal) and what it wrote. */
export async function outcomeOf(
  command: string,
  args: readonly string[],
  { env = process.env, cwd = process.cwd(), timeoutMs = 900_000 }: Options = {},
) {
  const child = spawn(command, args, { env, cwd, timeout: timeoutMs, stdio: ['ignore', 'pipe', 'pipe'] });
  const all: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => all.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => all.push(chunk));
  const [stdout, status] = await Promise.all([
    buffer(child.stdout),
    new Promise<number | string>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'));
    }),
  ]);
  return { status, stdout: stdout.toString(), all: Buffer.concat(all).toString() };
}

/** Starts a command that runs on. Its output goes to the file. */
export function startCommand(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  logFile: string,
) {
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, { env, stdio: ['ignore', log, log] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    pid: child.pid,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export const endOf = (text: string, lines = 40) => text.trimEnd().split('\n').slice(-lines).join('\n');

/** An error as one line. */
export const oneLine = (error: unknown) => String(error).replace(/\s+/g, ' ').slice(0, 600);
