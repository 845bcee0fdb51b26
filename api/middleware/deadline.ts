import type { Middleware } from 'koa';
import { Unavailable } from '#platform/failures.ts';
import type { ApiState } from '../state.ts';

const deadlineMs = 10_000;

/** Ten seconds after its arrival a request is answered, whatever it still waits for: its outcome is unknown by then. */
export const deadline: Middleware<ApiState> = async (koa, next) => {
  koa.state.deadlineAt = Date.now() + deadlineMs;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable('temporal')), deadlineMs);
  });
  try {
    await Promise.race([next(), late]);
  } finally {
    clearTimeout(timer);
  }
};
