import { claimAttempts } from '#store/delivery-attempts.ts';
import {
  cancelQueuedOfAnyOrganisation,
  findQueuesOfAnyOrganisation,
  takeFromQueueOfAnyOrganisation,
} from '#store/delivery-queue.ts';
import type { Claimed } from './begun.ts';
import type { DeliveryContext } from './context.ts';
import { createPace } from './pace.ts';
import { type NewDelivery, startFirst } from './start.ts';
import type { Destination, Granted, Turns } from './turns.ts';

/**
 * The queues of endpoints. A delivery whose first attempt has no turn waits as a row alone: it has no workflow, and nothing asks for it. The
 * oldest one begins when a turn is free.
 */
export type Queues = {
  /** True if deliveries of the endpoint wait, as far as this process knows. A new one must not pass them. */
  has(destination: Destination): boolean;
  /** Serves the queue of an endpoint as long as it has deliveries. */
  serve(destination: Destination): void;
  /** Begins to serve all queues, also those that another process has filled. */
  run(): void;
  stop(): void;
};

const roundEveryMs = 100;
const findEveryMs = 5_000;
const queuesMax = 1_000;
const cancelledMax = 500;
/** So many deliveries leave their queues in a second, however busy the system is, and so many at once after a quiet time. */
const promisedPerSecond = 12;
const burstMax = 200;

type Begin = (claimed: Claimed) => void;
type Follow = (work: Promise<unknown>) => void;
type Serving = { begin: Begin; follow: Follow; signal: AbortSignal };

export function createQueues(ctx: DeliveryContext, turns: Turns, serving: Serving): Queues {
  const { db } = ctx.store;
  const known = createRota();
  const begins = pacedBegins(ctx, serving);
  let timers: NodeJS.Timeout[] = [];
  let isRound = false;
  let isFinding = false;
  let foundLast: string | undefined;

  /** What is taken is due, so the sweep finds whatever is lost from here on. */
  const serveNext = async (queue: KnownQueue, granted: Granted[]): Promise<void> => {
    try {
      const { endpointId, orgId, from } = queue;
      const taken = await takeFromQueueOfAnyOrganisation(db, { endpointId, from, limit: granted.length });
      const sorted = taken.toSorted(byAge);
      known.served(queue, taken.length < granted.length ? undefined : sorted.at(-1)?.createdAt);
      const ids = sorted.map(({ id }) => id);
      // Without their claims, the workflows make the attempts.
      const claims = ids.length === 0 ? [] : await claimAttempts(db, ids, 1).catch(() => []);
      const claimed = new Map(claims.map((each) => [each.id, each]));
      for (const { id: deliveryId, environment, verificationId } of sorted) {
        const delivery = claimed.get(deliveryId);
        const turn = delivery && granted.pop();
        const claimedMs = performance.now();
        begins.begin(
          { deliveryId, orgId, environment, verificationId },
          delivery && turn && { delivery, turn, claimedMs },
        );
      }
    } finally {
      for (const turn of granted) turn.end();
    }
  };

  const nextRound = async (): Promise<void> => {
    const picked = pickTurns(turns, known, begins.room());
    await Promise.allSettled([...picked].map(([queue, granted]) => serveNext(queue, granted)));
  };
  const round = (): void => {
    if (known.isEmpty() || isRound || serving.signal.aborted) return;
    isRound = true;
    serving.follow(nextRound().finally(() => (isRound = false)));
  };

  /** A database that does not answer is asked again. */
  const findNext = async (): Promise<void> => {
    const found = await findQueuesOfAnyOrganisation(db, { after: foundLast, limit: queuesMax });
    foundLast = found.length < queuesMax ? undefined : found.at(-1)?.endpointId;
    for (const { isActive, ...destination } of found)
      if (isActive) known.add(destination, beginning);
      else
        await cancelQueuedOfAnyOrganisation(db, { endpointId: destination.endpointId, limit: cancelledMax });
  };
  const find = (): void => {
    if (isFinding) return;
    isFinding = true;
    serving.follow(findNext().finally(() => (isFinding = false)));
  };

  return {
    has: known.has,
    serve: (destination) => known.add(destination),
    run() {
      find();
      timers = [setInterval(round, roundEveryMs), setInterval(find, findEveryMs)];
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
}

const beginning = new Date(0);

/** A queue of which this process knows. What is older than `from` was taken out of it. */
type KnownQueue = Destination & { from: Date };
type Rota = ReturnType<typeof createRota>;

/** The known queues. Organisations are served one after the other, and of each its endpoints. */
function createRota() {
  const byOrg = new Map<string, Map<string, KnownQueue>>();
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
  };
  return {
    has: ({ orgId, endpointId }: Destination): boolean => byOrg.get(orgId)?.has(endpointId) ?? false,
    isEmpty: (): boolean => byOrg.size === 0,
    /** What is added while a queue is served stays known. `from` is for a queue that is to be searched from its beginning again. */
    add({ orgId, endpointId }: Destination, from = byOrg.get(orgId)?.get(endpointId)?.from): void {
      put({ orgId, endpointId, from: from ?? beginning });
    },
    /** Forgets the queue if it is empty, so `takenUpTo` is undefined. Otherwise all others come first. */
    served(queue: KnownQueue, takenUpTo: Date | undefined): void {
      const isSame = byOrg.get(queue.orgId)?.get(queue.endpointId) === queue;
      if (!isSame) return;
      remove(queue);
      if (takenUpTo !== undefined) put({ ...queue, from: takenUpTo });
    },
    lists: (): KnownQueue[][] => [...byOrg.values()].map((queues) => [...queues.values()]),
  };
}

type Aged = { id: string; createdAt: Date };
const byAge = (one: Aged, other: Aged): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || one.id.localeCompare(other.id);

/** Takes up to `room` turns: one for each organisation, then again, until none gets another. */
function pickTurns(turns: Turns, known: Rota, room: number): Map<KnownQueue, Granted[]> {
  const picked = new Map<KnownQueue, Granted[]>();
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
function pickOne(turns: Turns, queues: KnownQueue[], picked: Map<KnownQueue, Granted[]>): number {
  for (let queue = queues.shift(); queue !== undefined; queue = queues.shift()) {
    const turn = turns.takeNow(queue);
    if (turn === undefined) continue;
    picked.set(queue, [...(picked.get(queue) ?? []), turn]);
    queues.push(queue);
    return 1;
  }
  return 0;
}

/**
 * Begins deliveries at the pace that the system can carry: it slows down when the starts of their workflows take longer than usual. After a
 * quiet time a burst begins at once.
 */
function pacedBegins(ctx: DeliveryContext, { begin, follow, signal }: Serving) {
  const pace = createPace();
  pace.keepAbove(promisedPerSecond);
  let room = burstMax;
  let filledAtMs = performance.now();
  let adjustedAtMs = filledAtMs;
  let starts = 0;
  let startedInMs: number[] = [];

  const start = async (delivery: NewDelivery) => {
    const beganMs = performance.now();
    starts += 1;
    await startFirst(ctx, delivery, signal);
    startedInMs.push(performance.now() - beganMs);
  };
  /** If none of the starts of a second has ended, Temporal does not keep up. */
  const adjust = (nowMs: number) => {
    if (nowMs - adjustedAtMs < 1_000) return;
    const meanMs = startedInMs.reduce((sum, ms) => sum + ms, 0) / startedInMs.length;
    if (starts > 0) pace.adjust(startedInMs.length === 0 ? undefined : meanMs);
    starts = 0;
    startedInMs = [];
    adjustedAtMs = nowMs;
  };
  return {
    /** How many may begin now. */
    room(): number {
      const nowMs = performance.now();
      adjust(nowMs);
      room = Math.min(room + ((nowMs - filledAtMs) / 1_000) * pace.perSecond(), burstMax);
      filledAtMs = nowMs;
      return Math.floor(room);
    },
    /** Without a claim, the workflow makes the attempt. */
    begin(delivery: NewDelivery, claimed: Claimed | undefined): void {
      room -= 1;
      if (claimed) begin(claimed);
      follow(start(delivery));
    },
  };
}
