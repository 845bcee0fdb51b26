import { expect, test } from 'vitest';
import { faults } from '#test/faults/kinds/faults.ts';
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

/** A round of each fault of this shard. */
export const testFaults = (shard: string): void =>
  test(
    `a round of each fault loses nothing, doubles nothing, forges nothing and leaves nothing stuck, shard ${shard}`,
    async () => {
      const env = { FAULT_ROUNDS: String(faults.length) };
      await expectSuccess('test/faults/run.ts', ['--shard', shard], env);
    },
    minutes(15),
  );

/** Each planted bug of this shard. */
export const testPlanted = (shard: string): void =>
  test(
    `the harness of faults finds each of the bugs that are planted, shard ${shard}`,
    async () => {
      await expectSuccess('test/faults/planted.ts', ['--shard', shard]);
    },
    minutes(15),
  );
