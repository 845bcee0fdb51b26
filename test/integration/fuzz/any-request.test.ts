import { test } from 'vitest';
import { commonCodes, expectDocumentedAnswers } from './any-request.ts';

test('a thousand requests that are nearly right: each answer is documented, and memory stays flat', async () => {
  await expectDocumentedAnswers({ batches: 50, reached: commonCodes });
}, 120_000);
