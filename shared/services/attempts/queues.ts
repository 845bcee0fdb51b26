import { Allowance } from '#platform/limits/allowance.ts';
import { repeatUnless } from '#platform/pause.ts';
import { claimAttempts } from '#store/webhooks/delivery-attempts.ts';
import {
  findQueuesOfAnyOrganisation,
  takeFromQueueOfAnyOrganisation,
} from '#store/webhooks/delivery-queue.ts';
import type { Claimed } from './begun.ts';
import { cancelQueued } from './cancel-queued.ts';
import type { DeliveryContext } from './context.ts';
import { createPace } from './pace.ts';
import { beginning, createRota, type KnownQueue, pickTurns } from './rota.ts';
import { type NewDelivery, startFirst } from './start.ts';
import type { Destination, FirstTurn, Turns } from './turns.ts';

/**
 * The queues of endpoints. A delivery whose first attempt has no turn waits as a row alone: it has no workflow, and nothing asks for it. The
 * oldest one begins when a turn is free.
 */
export type Queues = {
  /** True if deliveries of the endpoint wait, as far as this process knows. A new one must not pass them. */
  has(destination: Destination): boolean;
  /** Serves the queue of an endpoint as long as it has deliveries. */
  serve(destination: Destination): void;
  /** Begins to serve all queues, also those that another process has filled, until `signal` is aborted. */
  run(): void;
};

const roundEveryMs = 100;
const findEveryMs = 5_000;
const queuesMax = 1_000;
const cancelledMax = 500;
/** The number of deliveries that leave their queues in a second, however busy the system is. */
const promisedPerSecond = 12;
/** The number of deliveries that may leave at once after a quiet time. */
const burstMax = 200;

type Begin = (claimed: Claimed) => void;
type Follow = (work: Promise<unknown>) => void;
type Serving = { begin: Begin; follow: Follow; signal: AbortSignal };

export function createQueues(ctx: DeliveryContext, turns: Turns, serving: Serving): Queues {
  const { db } = ctx.store;
  const known = createRota();
  const begins = pacedBegins(ctx, serving);
  let foundLast: string | undefined;

  /** What is taken is due, so the sweep finds whatever is lost from here on. */
  const serveNext = async (queue: KnownQueue, granted: FirstTurn[]): Promise<void> => {
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
      for (const turn of granted) turn.giveBack();
    }
  };

  const round = async (): Promise<void> => {
    await known.untilKnown();
    const picked = pickTurns(turns, known, begins.room());
    await Promise.allSettled([...picked].map(([queue, granted]) => serveNext(queue, granted)));
  };

  const find = async (): Promise<void> => {
    const found = await findQueuesOfAnyOrganisation(db, { after: foundLast, limit: queuesMax });
    foundLast = found.length < queuesMax ? undefined : found.at(-1)?.endpointId;
    for (const { isActive, ...destination } of found)
      if (isActive) known.add(destination, beginning);
      else await cancelQueued(ctx, { endpointId: destination.endpointId, limit: cancelledMax });
  };

  return {
    has: known.has,
    serve: (destination) => known.add(destination),
    run() {
      const { follow, signal } = serving;
      signal.addEventListener('abort', known.wake);
      follow(repeatUnless(signal, roundEveryMs, round));
      // A database that does not answer is asked again.
      follow(repeatUnless(signal, findEveryMs, () => find().catch(() => undefined)));
    },
  };
}

type Aged = { id: string; createdAt: Date };
const byAge = (one: Aged, other: Aged): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || one.id.localeCompare(other.id);

/**
 * Begins deliveries at the pace that the system can carry: it slows down when the starts of their workflows take longer than usual. After a
 * quiet time a burst begins at once.
 */
function pacedBegins(ctx: DeliveryContext, { begin, follow, signal }: Serving) {
  const pace = createPace();
  pace.keepAbove(promisedPerSecond);
  const allowance = new Allowance();
  let adjustedAtMs = performance.now();
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
      return Math.floor(allowance.left(nowMs, { perMs: pace.perSecond() / 1_000, most: burstMax }));
    },
    /** Without a claim, the workflow makes the attempt. */
    begin(delivery: NewDelivery, claimed: Claimed | undefined): void {
      allowance.use(1);
      if (claimed) begin(claimed);
      follow(start(delivery));
    },
  };
}
