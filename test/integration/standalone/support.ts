import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { keepLogs } from '#test/support/run-logs.ts';
import { isTaken } from '#worker/standalone/processes.ts';

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'standalone-'));
  atTheEnd(() => {
    keepLogs(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  });
  return folder;
}

/** The path of a data directory that does not exist yet. The program under test creates it. */
export const newDataDir = () => {
  const folder = newFolder();
  rmSync(folder, { recursive: true });
  return folder;
};

export type Program = {
  process: ChildProcess;
  stdout: Promise<string>;
  stderr: Promise<string>;
  code: Promise<number | null>;
};

export function runProgram(file: URL, args: string[], env: NodeJS.ProcessEnv = {}): Program {
  const child = spawn(process.execPath, [fileURLToPath(file), ...args], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return {
    process: child,
    stdout: text(child.stdout),
    stderr: text(child.stderr),
    code: once(child, 'exit').then(([code]) => code as number | null),
  };
}

/** Waits until a program has ended. Returns its exit code and what it wrote. */
export async function ended({ code, ...wrote }: Program) {
  const [exit, stdout, stderr] = await Promise.all([code, wrote.stdout, wrote.stderr]);
  return { exit, stdout, stderr };
}

type Started = { postgres: { url: string; pid: number }; temporal: { address: string; pid: number } };

/** Starts a parent process with servers of its own, and waits until they are up. */
export async function startParent(...args: string[]): Promise<{ process: ChildProcess; servers: Started }> {
  const child = spawn(process.execPath, [fileURLToPath(parentProgram), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { process: child, servers: JSON.parse(line.toString()) };
}

export const parentProgram = new URL('./parent.ts', import.meta.url);

/** Waits until the condition holds, for at most these milliseconds. Returns true if it holds. */
export async function becomes(condition: () => boolean, withinMs: number): Promise<boolean> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await pause(20))
    if (condition()) return true;
  return condition();
}

export const isGone = (pid: number) => !isTaken(pid);
