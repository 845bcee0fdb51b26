import { Unavailable } from '#platform/failures.ts';

const deadlineMs = 10_000;

/** Epoch milliseconds by which a request that arrives now must be answered. */
export const deadlineFromNow = (): number => Date.now() + deadlineMs;

/** Throws Unavailable if the deadline passes before the work ends. The outcome of the work is then unknown. */
export async function inTime<T>(work: Promise<T>, deadlineAt: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable('temporal')), deadlineAt - Date.now());
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
