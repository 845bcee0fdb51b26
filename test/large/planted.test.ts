import { test } from 'vitest';
import { expectSuccess, minutes } from './commands.ts';

test(
  'the harness of faults finds each of the bugs that are planted',
  async () => {
    await expectSuccess('test/faults/planted.ts', []);
  },
  minutes(40),
);
