/** `waitingMax` limits the waiting work of all owners. An owner of whom nothing waits may still add one piece. */
type Limits = { atOnceMax: number; waitingPerOwnerMax: number; waitingMax?: number };

/** The owner, or all of them together, have too much work that waits. */
export class QueueFull extends Error {}

/**
 * Runs work, at most `atOnceMax` pieces at the same time. Further work waits, and the owners take turns with one piece of work per
 * turn. So an owner with much work does not delay other owners by all of that work. Rejects with `QueueFull` if too much work
 * waits.
 */
export function createFairQueue({ atOnceMax, waitingPerOwnerMax, waitingMax = Infinity }: Limits) {
  /** The waiting work of each owner. The first owner in the map has the next turn. */
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  const waitingCount = () => [...waiting.values()].reduce((sum, { length }) => sum + length, 0);

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
    const isFull = before.length > 0 && waitingCount() >= waitingMax;
    if (isFull || before.length >= waitingPerOwnerMax) throw new QueueFull();
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
