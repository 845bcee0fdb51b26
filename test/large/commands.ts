import { expect } from 'vitest';
import { runProgram } from '#test/support/program.ts';

/** Runs a program of the repository to its end, which must be a good one. What it printed is in the failure. */
export async function expectSuccess(file: string, ...args: string[]): Promise<void> {
  const program = runProgram(file, {}, args);
  const code = await program.exited;
  expect({ code, output: code === 0 ? '' : program.output() }).toEqual({ code: 0, output: '' });
}

export const minutes = (count: number): number => count * 60_000;
