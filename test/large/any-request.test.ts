import { test } from 'vitest';
import { commonCodes, expectDocumentedAnswers, rareCodes } from '#test/integration/fuzz/any-request.ts';
import { minutes } from './commands.ts';

test(
  'ten thousand requests that are nearly right: each answer is documented, and memory stays flat',
  async () => {
    await expectDocumentedAnswers({ batches: 500, reached: [...commonCodes, ...rareCodes] });
  },
  minutes(16),
);
