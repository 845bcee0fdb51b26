import { setTimeout as pause } from 'node:timers/promises';

/** Waits for the given time. Returns earlier if the signal is aborted. */
export const pauseUnless = (signal: AbortSignal, ms: number): Promise<void> =>
  pause(ms, undefined, { signal }).catch(() => undefined);

/** Repeats a step, which must not reject. The next one begins `everyMs` after the beginning of the last one, but never before its end. */
export async function repeatUnless(
  signal: AbortSignal,
  everyMs: number,
  step: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    const beganMs = performance.now();
    await step();
    await pauseUnless(signal, Math.max(everyMs - (performance.now() - beganMs), 0));
  }
}
