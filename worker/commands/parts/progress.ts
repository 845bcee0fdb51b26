import type { Course, Progress } from '#services/portions/walk.ts';
import { note } from './command-line.ts';

const saidEveryMs = 10_000;

/** The exit code of a process that a signal has ended. */
const interrupted = 130;

/**
 * Runs a long walk and notes its progress every ten seconds. If the walk is interrupted or fails, notes how `command` continues it.
 * Without `command`, the walk cannot continue and must begin again.
 */
export async function withProgress<T>(
  { command, from }: { command?: string; from?: Course['from'] },
  work: (course: Course) => Promise<T>,
): Promise<T> {
  let reached: Progress | undefined;
  let saidAtMs = performance.now();
  const watch = (progress: Progress) => {
    reached = progress;
    if (performance.now() - saidAtMs < saidEveryMs) return;
    saidAtMs = performance.now();
    note(`${progress.part}: ${progress.rows} rows are done, up to ${progress.place}`);
  };
  const sayHowToContinue = () => {
    if (reached !== undefined && command !== undefined)
      note(`Not finished. To continue: ${command} --from ${reached.place}`);
  };
  const stop = () => {
    sayHowToContinue();
    process.exit(interrupted);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    return await work({ from, watch });
  } catch (error) {
    sayHowToContinue();
    throw error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}
