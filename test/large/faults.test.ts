import { test } from 'vitest';
import { faults } from '#test/faults/kinds/faults.ts';
import { expectSuccess, minutes } from './commands.ts';

test(
  'a round of each fault loses nothing, doubles nothing, forges nothing and leaves nothing stuck',
  async () => {
    await expectSuccess('test/faults/run.ts', ['--minutes', '24'], { FAULT_ROUNDS: String(faults.length) });
  },
  minutes(30),
);
