import { Unavailable } from '#platform/failures.ts';

/**
 * Waits for the workflow's answer and then reads the row, since the row is the truth (decision 36): a command whose connection
 * broke may have been carried out. `read` returns undefined when the row shows nothing of it; then this throws the failure.
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
