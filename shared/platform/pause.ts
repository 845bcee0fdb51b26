import { setTimeout as pause } from 'node:timers/promises';

/** Waits for the given time. Returns earlier if the signal is aborted. */
export const pauseUnless = (signal: AbortSignal, ms: number): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);
