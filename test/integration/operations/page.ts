import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { runCommand } from '#test/support/program.ts';

const root = join(import.meta.dirname, '../../..');

const strict = (code: string) => ['-euo', 'pipefail', '-c', code];

/** Runs a block as a person would paste it into a shell of the project's folder. */
export function runShell(code: string, env: NodeJS.ProcessEnv): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile('bash', strict(code), { cwd: root, env, timeout: 60_000 }, (error, stdout, stderr) => {
      const status = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ status, output: status === 0 ? stdout : stdout + stderr });
    });
  });
}

export type Service = { pid: number; stop(): Promise<number | null>; kill(): void };

/** Runs a block whose program does not end. Resolves when the program has printed the greeting. */
export async function startService(code: string, env: NodeJS.ProcessEnv, greeting: string): Promise<Service> {
  const program = runCommand('bash', strict(code), { name: 'runbook', env, cwd: root });
  await program.says(greeting);
  return {
    pid: program.pid,
    kill: () => void program.signal('SIGKILL'),
    stop: () => {
      program.signal('SIGTERM');
      return program.exited;
    },
  };
}
