import { test } from 'vitest';
import { expectSuccess, minutes } from './commands.ts';

test(
  'forty rounds of killing and freezing the parts lose nothing, double nothing and leave nothing stuck',
  async () => {
    await expectSuccess('test/faults/run.ts', '--rounds', '40', '--minutes', '12');
  },
  minutes(16),
);
