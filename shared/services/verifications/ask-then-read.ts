import { Unavailable } from '#platform/failures.ts';

/**
 * Waits for the workflow, then reads the row, because only the row is authoritative (decision 36). A command may have been carried
 * out although its connection broke. If `read` returns undefined, throws the failure of the call, or `Unavailable` if the call did
 * not fail.
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
