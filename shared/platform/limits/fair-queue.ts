import { createLane } from './lane.ts';

/** `waitingMax` limits the waiting work of all owners. An owner of whom nothing waits may still add one piece. */
type Limits = { atOnceMax: number; waitingPerOwnerMax: number; waitingMax?: number };

/** The owner, or all of them together, have too much work that waits. */
export class QueueFull extends Error {}

/**
 * Runs work, at most `atOnceMax` pieces at the same time. Further work waits in a lane, where the owners take turns. Rejects with
 * `QueueFull` if too much work waits.
 */
export function createFairQueue({ atOnceMax, waitingPerOwnerMax, waitingMax = Infinity }: Limits) {
  const waiting = createLane<() => void>();
  let running = 0;

  const startNext = (): void => {
    if (running >= atOnceMax) return;
    const start = waiting.takeNext();
    if (start === undefined) return;
    running++;
    start();
  };

  return async <Result>(owner: string, work: () => Promise<Result>): Promise<Result> => {
    const before = waiting.countOf(owner);
    const isFull = before > 0 && waiting.count() >= waitingMax;
    if (isFull || before >= waitingPerOwnerMax) throw new QueueFull();
    await new Promise<void>((start) => {
      waiting.add(owner, start);
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
