import { test } from 'vitest';
import { expectDocumentedAnswers } from './any-request.ts';

test('a thousand requests that are nearly right: each answer is documented, and memory stays flat', async () => {
  await expectDocumentedAnswers(50);
}, 120_000);
