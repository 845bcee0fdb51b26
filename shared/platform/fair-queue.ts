/**
 * Runs work, at most `atOnceMax` at the same time. What cannot run yet waits, and owners take turns: an owner with much work delays
 * another by one piece of work at most, not by all of it.
 */
export function createFairQueue(atOnceMax: number) {
  /** By owner. The first owner has the next turn. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  const startNext = (): void => {
    const [turn] = waiting;
    if (turn === undefined || running >= atOnceMax) return;
    const [owner, starts] = turn;
    const start = starts.shift();
    waiting.delete(owner);
    if (starts.length > 0) waiting.set(owner, starts);
    running++;
    start?.();
  };

  return async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    await new Promise<void>((start) => {
      waiting.set(owner, [...(waiting.get(owner) ?? []), start]);
      startNext();
    });
    try {
      return await work();
    } finally {
      running--;
      startNext();
    }
  };
}
