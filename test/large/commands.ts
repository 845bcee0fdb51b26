import { expect } from 'vitest';
import { runProgram } from '#test/support/program.ts';

/** Runs a program of the repository, which must end with code 0. If it does not, the failure shows its output. */
export async function expectSuccess(
  file: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const program = runProgram(file, env, args);
  const code = await program.exited;
  expect({ code, output: code === 0 ? '' : program.output() }).toEqual({ code: 0, output: '' });
}

export const minutes = (count: number): number => count * 60_000;
