import type { Destination, FirstTurn, Turns } from './turns.ts';

export const beginning = new Date(0);

/** A queue of which this process knows. What is older than `from` was taken out of it. */
export type KnownQueue = Destination & { from: Date };
export type Rota = ReturnType<typeof createRota>;

/** The known queues. Organisations are served one after the other, and of each its endpoints. */
export function createRota() {
  const byOrg = new Map<string, Map<string, KnownQueue>>();
  let wake = Promise.withResolvers<void>();
  /** The other queues of the organisation come after those of all others. */
  const remove = ({ orgId, endpointId }: Destination): void => {
    const queues = byOrg.get(orgId);
    byOrg.delete(orgId);
    queues?.delete(endpointId);
    if (queues !== undefined && queues.size > 0) byOrg.set(orgId, queues);
  };
  const put = (queue: KnownQueue): void => {
    const queues = byOrg.get(queue.orgId) ?? new Map<string, KnownQueue>();
    byOrg.set(queue.orgId, queues.set(queue.endpointId, queue));
    wake.resolve();
  };
  return {
    has: ({ orgId, endpointId }: Destination): boolean => byOrg.get(orgId)?.has(endpointId) ?? false,
    /** Resolves when a queue is known, or at the next `wake`. A process that knows none has nothing to do. */
    async untilKnown(): Promise<void> {
      if (byOrg.size > 0) return;
      wake = Promise.withResolvers();
      await wake.promise;
    },
    wake: (): void => wake.resolve(),
    /** What is added while a queue is served stays known. `from` is for a queue that is to be searched from its beginning again. */
    add({ orgId, endpointId }: Destination, from = byOrg.get(orgId)?.get(endpointId)?.from): void {
      put({ orgId, endpointId, from: from ?? beginning });
    },
    /**
     * Forgets the queue if it is empty, so `takenUpTo` is undefined, and nothing was added while it was served. Otherwise all others come
     * first.
     */
    served(queue: KnownQueue, takenUpTo: Date | undefined): void {
      const now = byOrg.get(queue.orgId)?.get(queue.endpointId);
      if (now === undefined) return;
      remove(queue);
      const isFromBeginning = now.from !== queue.from;
      if (takenUpTo !== undefined) put({ ...now, from: isFromBeginning ? now.from : takenUpTo });
      else if (now !== queue) put(now);
    },
    lists: (): KnownQueue[][] => [...byOrg.values()].map((queues) => [...queues.values()]),
  };
}

/** Takes up to `room` turns: one for each organisation, then again, until none gets another. */
export function pickTurns(
  turns: Pick<Turns, 'takeNow'>,
  known: Rota,
  room: number,
): Map<KnownQueue, FirstTurn[]> {
  const picked = new Map<KnownQueue, FirstTurn[]>();
  let used = 0;
  let left = known.lists();
  while (left.length > 0 && used < room) {
    left = left.filter((queues) => {
      if (used >= room) return false;
      used += pickOne(turns, queues, picked);
      return queues.length > 0;
    });
  }
  return picked;
}

/** Takes a turn for the first queue that gets one, and moves it behind the others. Those that get none are left out. */
function pickOne(
  turns: Pick<Turns, 'takeNow'>,
  queues: KnownQueue[],
  picked: Map<KnownQueue, FirstTurn[]>,
): number {
  for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
    const turn = turns.takeNow(queue);
    if (turn === undefined) continue;
    picked.set(queue, [...(picked.get(queue) ?? []), turn]);
    queues.push(queue);
    return 1;
  }
  return 0;
}
