import { test } from 'vitest';
import { expectSuccess, minutes } from './commands.ts';

test(
  'of 4,000 events, a fifth of them to receivers that fail, each is accounted for',
  async () => {
    await expectSuccess('test/faults/balance.ts', ['--events', '4000']);
  },
  minutes(16),
);
