import { expect, test } from 'vitest';
import { Unavailable } from '#platform/failures.ts';
import { askThenRead } from '#services/runs/ask-then-read.ts';

/** An error as Temporal's client gives it, with the code of gRPC. */
const failed = (code: number) =>
  new Unavailable(
    'temporal',
    Object.assign(new Error('failed'), {
      cause: Object.assign(new Error('grpc'), { code, details: 'busy', metadata: {} }),
    }),
  );
const resourceExhausted = 8;
const deadlineExceeded = 4;

/** Reads a row that another command completes after some reads. */
function rowCompletedAfter(reads: number) {
  let left = reads;
  return async () => {
    left -= 1;
    return left < 0 ? 'completed' : undefined;
  };
}

test('a refused command reads its row until another command has completed it', async () => {
  const asked = Promise.reject(failed(resourceExhausted));
  expect(await askThenRead(asked, rowCompletedAfter(3))).toBe('completed');
});

test('a refused command whose row does not change fails', async () => {
  const refusal = failed(resourceExhausted);
  await expect(askThenRead(Promise.reject(refusal), async () => undefined)).rejects.toBe(refusal);
});

test('a command that failed otherwise has waited already, and reads once', async () => {
  const failure = failed(deadlineExceeded);
  await expect(askThenRead(Promise.reject(failure), rowCompletedAfter(1))).rejects.toBe(failure);
});
