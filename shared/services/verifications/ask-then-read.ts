import { Unavailable } from '#platform/failures.ts';

/**
 * Waits for the workflow, then reads the row, which is the truth (decision 36): a command may have been carried out although its
 * connection broke. When `read` finds no result and returns undefined, this throws the failure.
 */
export async function askThenRead<Result>(
  asked: Promise<unknown>,
  read: (failed: boolean) => Promise<Result | undefined>,
): Promise<Result> {
  const failure = await asked.then(
    () => undefined,
    (error: unknown) => error ?? new Unavailable('temporal'),
  );
  const result = await read(failure !== undefined);
  if (result === undefined) throw failure ?? new Unavailable('temporal');
  return result;
}
