import { test } from 'vitest';
import { expectDocumentedAnswers } from '#test/integration/fuzz/any-request.ts';
import { minutes } from './commands.ts';

test(
  'ten thousand requests that are nearly right: each answer is documented, and memory stays flat',
  async () => {
    await expectDocumentedAnswers(500);
  },
  minutes(16),
);
