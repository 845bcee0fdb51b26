type Limits = { atOnceMax: number; waitingPerOwnerMax: number };

/** The owner has too much work that waits. */
export class QueueFull extends Error {}

/**
 * Runs work, at most `atOnceMax` at the same time. What cannot run yet waits, and owners take turns: an owner with much work delays
 * another by one piece of work at most, not by all of it. Rejects with `QueueFull` if too much work of the owner waits.
 */
export function createFairQueue({ atOnceMax, waitingPerOwnerMax }: Limits) {
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
    const before = waiting.get(owner) ?? [];
    if (before.length >= waitingPerOwnerMax) throw new QueueFull();
    await new Promise<void>((start) => {
      waiting.set(owner, [...before, start]);
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
