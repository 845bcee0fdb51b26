import { inject } from 'vitest';
import { ended, newFolder, runProgram } from '#test/integration/standalone/support.ts';
import type { Harness } from '#test/support/harness.ts';

const program = new URL('../../../worker/commands/operators.ts', import.meta.url);

/** Returns a function that runs the operator's command on the database of a harness. `further` are variables of the environment. */
export function operatorsOf({ databaseUrl }: Pick<Harness, 'databaseUrl'>, further: NodeJS.ProcessEnv = {}) {
  const env = {
    ...{ DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: inject('temporalAddress'), DATA_DIR: newFolder() },
    ...{ SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), ...further },
  };
  return async (...args: string[]) => {
    return ended(runProgram(program, args, env));
  };
}
