import { Unavailable } from '#platform/failures.ts';

const deadlineMs = 10_000;

/** Epoch milliseconds by which a request that comes now is answered. */
export const deadlineFromNow = (): number => Date.now() + deadlineMs;

/** Waits until then and no longer: the outcome is unknown after that. */
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
