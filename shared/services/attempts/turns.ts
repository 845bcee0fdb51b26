import { minuteMs } from '#contract/time.ts';
import type { Clock } from '#platform/clock.ts';
import { Allowance } from '#platform/limits/allowance.ts';

/** The limits on concurrent attempts of one worker process. */
export type TurnLimits = {
  /** All attempts together. The worker has the same number of slots for activities. */
  attempts: number;
  perEndpoint: number;
  /** The deliveries of an organisation that begin in a minute. Undefined: as many as there are. */
  deliveriesPerMinute?: number;
};

/**
 * An organisation may begin an attempt if it runs fewer attempts than this share of the free slots. So an organisation whose
 * receivers hang leaves slots for others.
 */
const shareOfFree = 1 / 4;

const shortestWaitMs = 1_000;
const longestWaitMs = 300_000;
/** The initial mean duration, which applies until the first attempt has ended. */
const assumedMs = 1_000;
const smoothing = 1 / 8;
const slowMs = 2_000;
/** This time is less than `assumedMs`, so a receiver counts as fast only after some attempts have ended quickly. */
const fastMs = 500;
/** After so many failures in a row, an endpoint gets one first attempt in this time. */
const failuresMax = 5;
const restMs = 1_000;
const jitterShare = 0.1;
/** After a quiet time, an organisation may begin at once what it may begin in this time. */
const burstMs = 6_000;
const queuesMax = 10_000;

/** The organisation and the endpoint that a delivery goes to. */
export type Destination = { orgId: string; endpointId: string };
export type Granted = {
  granted: true;
  /** `isAccepted` says whether the receiver took the event. Undefined if no attempt was made. */
  end(isAccepted?: boolean): void;
};
/** A turn for a first attempt. `giveBack` ends one that began nothing, so that it uses none of the budget. */
export type FirstTurn = Granted & { giveBack(): void };
export type Turn = Granted | { granted: false; waitMs: number };
export type Turns = {
  take(destination: Destination): Turn;
  /**
   * For a first attempt, which is not deferred if it may not begin now (`queues.ts`). It passes deferred ones, because it comes before retries. An
   * endpoint that keeps failing gets one in a second. An organisation gets no more than its budget.
   */
  takeNow(destination: Destination): FirstTurn | undefined;
  /** True if attempts of this endpoint recently ended so soon that a workflow task can wait for one. */
  isFast(endpointId: string): boolean;
};

/** The running and the deferred attempts of one endpoint or of one organisation. */
class Queue {
  underWay = 0;
  #meanMs = assumedMs;
  #failures = 0;
  #lastTurnMs = Number.NEGATIVE_INFINITY;
  #lastFirstMs = Number.NEGATIVE_INFINITY;
  #endsAtMs = 0;
  readonly budget = new Allowance();

  begin(nowMs: number): void {
    this.underWay += 1;
    this.#lastTurnMs = nowMs;
  }

  end(tookMs: number, isAccepted: boolean | undefined): void {
    this.underWay -= 1;
    if (isAccepted === undefined) return;
    this.#failures = isAccepted ? 0 : this.#failures + 1;
    this.#meanMs += (tookMs - this.#meanMs) * smoothing;
  }

  isFast(): boolean {
    return this.#meanMs < fastMs;
  }

  beginFirst(nowMs: number): void {
    this.#lastFirstMs = nowMs;
  }

  /** True if an endpoint that keeps failing just had a first attempt. Retries come at their own times. */
  rests(nowMs: number): boolean {
    return this.#failures >= failuresMax && nowMs < this.#lastFirstMs + restMs;
  }

  /**
   * Spreads the attempts to a slow receiver over time. Attempts that begin together would also end together and cause a burst of
   * work.
   */
  isTooSoon(nowMs: number, places: number): boolean {
    return this.#meanMs >= slowMs && nowMs < this.#lastTurnMs + this.#meanMs / places / 2;
  }

  /**
   * Returns the wait of the next deferred delivery. The wait depends on the rate at which attempts end, so that few deliveries
   * return too early.
   */
  join(nowMs: number, places: number): number {
    const endsAtMs = Math.max(this.#endsAtMs, nowMs) + this.#meanMs / places;
    this.#endsAtMs = Math.min(endsAtMs, nowMs + longestWaitMs - shortestWaitMs);
    return shortestWaitMs + this.#endsAtMs - nowMs;
  }
}

/** Queues by their ids. Of those without a running attempt, the ones that were used last are kept. */
class LatestQueues {
  /** The one that was used last comes last. */
  readonly #queues = new Map<string, Queue>();

  known(id: string): Queue | undefined {
    return this.#queues.get(id);
  }

  of(id: string): Queue {
    const queue = this.#queues.get(id) ?? new Queue();
    this.#queues.delete(id);
    this.#queues.set(id, queue);
    return queue;
  }

  forgetOldest(): void {
    for (const [id, queue] of this.#queues) {
      if (this.#queues.size <= queuesMax) return;
      if (queue.underWay === 0) this.#queues.delete(id);
    }
  }
}

/**
 * Decides whether a delivery may make its attempt now. An endpoint runs at most `perEndpoint` attempts. An organisation begins no
 * attempt if the number of its running attempts is at least a quarter of the number of free slots. So an organisation whose
 * receivers hang does not delay other organisations. The decision comes before the attempt uses a row or a connection.
 */
export function createTurns(limits: TurnLimits, clock: Pick<Clock, 'monotonicMs'>): Turns {
  const { deliveriesPerMinute = Number.MAX_SAFE_INTEGER } = limits;
  const perMs = deliveriesPerMinute / minuteMs;
  const budget = { perMs, most: Math.max(1, burstMs * perMs) };
  const [endpoints, orgs] = [new LatestQueues(), new LatestQueues()];
  let underWay = 0;

  /** Returns the full queue. Returns undefined if the attempt may begin now. */
  const fullQueue = (endpoint: Queue, org: Queue, nowMs: number) => {
    const { attempts, perEndpoint } = limits;
    if (endpoint.underWay >= perEndpoint || endpoint.isTooSoon(nowMs, perEndpoint))
      return { queue: endpoint, places: perEndpoint };
    const share = (attempts - underWay) * shareOfFree;
    return org.underWay >= share ? { queue: org, places: Math.max(org.underWay, 1) } : undefined;
  };
  const begin = (endpoint: Queue, org: Queue, startedMs: number): Granted => {
    underWay += 1;
    for (const queue of [endpoint, org]) queue.begin(startedMs);
    const end = (isAccepted?: boolean) => {
      const nowMs = clock.monotonicMs();
      underWay -= 1;
      for (const queue of [endpoint, org]) queue.end(nowMs - startedMs, isAccepted);
      endpoints.forgetOldest();
      orgs.forgetOldest();
    };
    return { granted: true, end };
  };

  return {
    take({ orgId, endpointId }) {
      const nowMs = clock.monotonicMs();
      const [endpoint, org] = [endpoints.of(endpointId), orgs.of(orgId)];
      const full = fullQueue(endpoint, org, nowMs);
      if (full === undefined) return begin(endpoint, org, nowMs);
      return { granted: false, waitMs: spread(full.queue.join(nowMs, full.places)) };
    },

    takeNow({ orgId, endpointId }) {
      const nowMs = clock.monotonicMs();
      const [endpoint, org] = [endpoints.of(endpointId), orgs.of(orgId)];
      if (endpoint.rests(nowMs) || fullQueue(endpoint, org, nowMs)) return undefined;
      if (org.budget.left(nowMs, budget) < 1) return undefined;
      org.budget.use(1);
      endpoint.beginFirst(nowMs);
      const turn = begin(endpoint, org, nowMs);
      const giveBack = () => {
        org.budget.use(-1);
        turn.end();
      };
      return { ...turn, giveBack };
    },

    isFast: (endpointId) => endpoints.known(endpointId)?.isFast() ?? false,
  };
}

const spread = (waitMs: number) => Math.round(waitMs * (1 + jitterShare * Math.random()));
