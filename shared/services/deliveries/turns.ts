import type { Clock } from '#platform/clock.ts';

/** What one worker process has under way at once. */
export type TurnLimits = {
  /** Attempts in all, which is how many slots the worker has for them. */
  attempts: number;
  perEndpoint: number;
  /** Attempts inside workflow tasks, each of which keeps one of the worker's slots for such tasks. */
  onTheSpot: number;
};

export const turnLimits: TurnLimits = { attempts: 200, perEndpoint: 20, onTheSpot: 50 };

/** What an organisation may hold of the slots that are free: so a few that hang leave room for all others. */
const shareOfFree = 1 / 4;

const shortestWaitMs = 1_000;
const longestWaitMs = 300_000;
/** How long an attempt is thought to take before any has ended. */
const supposedMs = 1_000;
const smoothing = 1 / 8;
const slowMs = 2_000;
/** Below what is supposed of a receiver that is not known, so none is thought swift before some attempts have ended. */
const swiftMs = 500;
const jitterShare = 0.1;
const lanesMax = 10_000;

export type Whereto = { orgId: string; endpointId: string };
type Granted = { granted: true; end(): void };
export type Turn = Granted | { granted: false; waitMs: number };
export type Turns = {
  take(whereto: Whereto): Turn;
  /** A turn inside a workflow task, which a slow receiver would hold up: for one that is known to be swift, and a few at once. */
  takeOnTheSpot(whereto: Whereto): Granted | undefined;
};

/** An endpoint's attempts under way, or an organisation's, and the line of those that were told to come again. */
class Lane {
  underWay = 0;
  #meanMs = supposedMs;
  #lastTurnMs = Number.NEGATIVE_INFINITY;
  #lineEndsAtMs = 0;

  begin(nowMs: number): void {
    this.underWay += 1;
    this.#lastTurnMs = nowMs;
  }

  end(tookMs: number): void {
    this.underWay -= 1;
    this.#meanMs += (tookMs - this.#meanMs) * smoothing;
  }

  isSwift(): boolean {
    return this.#meanMs < swiftMs;
  }

  /** A slow receiver's turns are given out apart: attempts that begin together end together, and that is a burst of work. */
  isTooSoon(nowMs: number, places: number): boolean {
    return this.#meanMs >= slowMs && nowMs < this.#lastTurnMs + this.#meanMs / places / 2;
  }

  /** When the next in line should come again. Places are apart by the pace at which attempts end, so that few come in vain. */
  queue(nowMs: number, places: number): number {
    const endsAtMs = Math.max(this.#lineEndsAtMs, nowMs) + this.#meanMs / places;
    this.#lineEndsAtMs = Math.min(endsAtMs, nowMs + longestWaitMs - shortestWaitMs);
    return shortestWaitMs + this.#lineEndsAtMs - nowMs;
  }
}

/**
 * Who may send now: no endpoint has more than its cap under way, and no organisation more than a quarter of what the others
 * left free, so a receiver that hangs holds up neither. It is asked before an attempt has a row or a connection.
 */
export function createTurns(limits: TurnLimits, clock: Pick<Clock, 'monotonicMs'>): Turns {
  const lanes = new Map<string, Lane>();
  let underWay = 0;
  let onTheSpot = 0;

  const laneOf = (id: string): Lane => {
    const lane = lanes.get(id) ?? new Lane();
    lanes.set(id, lane);
    return lane;
  };
  const forgetIdle = () => {
    for (const [id, lane] of lanes) if (lane.underWay === 0) lanes.delete(id);
  };
  /** The line it has to stand in; undefined when it may begin now. */
  const lineFor = (endpoint: Lane, org: Lane, nowMs: number) => {
    const { attempts, perEndpoint } = limits;
    if (endpoint.underWay >= perEndpoint || endpoint.isTooSoon(nowMs, perEndpoint))
      return { lane: endpoint, places: perEndpoint };
    const share = (attempts - underWay) * shareOfFree;
    return org.underWay >= share ? { lane: org, places: Math.max(org.underWay, 1) } : undefined;
  };
  const begin = (endpoint: Lane, org: Lane, startedMs: number): Granted => {
    underWay += 1;
    for (const lane of [endpoint, org]) lane.begin(startedMs);
    const end = () => {
      const nowMs = clock.monotonicMs();
      underWay -= 1;
      for (const lane of [endpoint, org]) lane.end(nowMs - startedMs);
      if (lanes.size > lanesMax) forgetIdle();
    };
    return { granted: true, end };
  };

  return {
    take({ orgId, endpointId }) {
      const nowMs = clock.monotonicMs();
      const [endpoint, org] = [laneOf(endpointId), laneOf(orgId)];
      const line = lineFor(endpoint, org, nowMs);
      if (line === undefined) return begin(endpoint, org, nowMs);
      return { granted: false, waitMs: spread(line.lane.queue(nowMs, line.places)) };
    },

    takeOnTheSpot({ orgId, endpointId }) {
      const nowMs = clock.monotonicMs();
      const [endpoint, org] = [laneOf(endpointId), laneOf(orgId)];
      if (onTheSpot >= limits.onTheSpot || !endpoint.isSwift() || lineFor(endpoint, org, nowMs))
        return undefined;
      const turn = begin(endpoint, org, nowMs);
      onTheSpot += 1;
      const end = () => {
        onTheSpot -= 1;
        turn.end();
      };
      return { granted: true, end };
    },
  };
}

const spread = (waitMs: number) => Math.round(waitMs * (1 + jitterShare * Math.random()));
