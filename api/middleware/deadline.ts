import type { Middleware } from 'koa';
import { Unavailable } from '#platform/failures.ts';
import type { ApiState } from '../state.ts';

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

/** Ten seconds after its arrival a request is answered, whatever it still waits for: its outcome is unknown by then. */
export const deadline: Middleware<ApiState> = async (koa, next) => {
  koa.state.deadlineAt = deadlineFromNow();
  await inTime(next(), koa.state.deadlineAt);
};
