import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '#platform/failures.ts';
import { isRefusal } from '#platform/temporal/connection.ts';

/**
 * Waits for the workflow, then reads the row, because only the row is authoritative (decision 36). A command may have been carried
 * out although its connection broke. If Temporal refused the call, because too many commands for one verification are in progress, one of
 * them may carry it out at any moment, so the row is read for a second. If `read` returns undefined, throws the failure of the call, or
 * `Unavailable` if the call did not fail.
 */
export async function askThenRead<Result>(
  asked: Promise<unknown>,
  read: (failed: boolean) => Promise<Result | undefined>,
): Promise<Result> {
  const failure = await asked.then(
    () => undefined,
    (error: unknown) => error ?? new Unavailable('temporal'),
  );
  const readOnce = () => read(failure !== undefined);
  const result = await (isRefusal(failure) ? readUntil(readOnce, Date.now() + patienceMs) : readOnce());
  if (result === undefined) throw failure ?? new Unavailable('temporal');
  return result;
}

const patienceMs = 1_000;

const readEveryMs = 100;

/** Reads until there is a result. Returns undefined if there is none before the deadline. */
export async function readUntil<Result>(
  read: () => Promise<Result | undefined>,
  deadlineAt: number,
): Promise<Result | undefined> {
  let result = await read();
  while (result === undefined && Date.now() + readEveryMs < deadlineAt) {
    await pause(readEveryMs);
    result = await read();
  }
  return result;
}
