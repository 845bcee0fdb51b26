import { setTimeout as pause } from 'node:timers/promises';
import type { AttemptDelivery, Recorded, VerificationRef } from '#contract/workflows.ts';
import { jittered } from '#policy/retry-schedule.ts';
import type { Db } from '#store/database/connection.ts';
import { claimNewDeliveries } from '#store/webhooks/delivery-attempts.ts';
import { queueNewOfAnyOrganisation } from '#store/webhooks/delivery-queue.ts';
import { makeClaimed } from './attempt.ts';
import { type Begun, type Claimed, createBegun } from './begun.ts';
import type { DeliveryContext } from './context.ts';
import { createQueues, type Queues } from './queues.ts';
import { startFirst } from './start.ts';
import type { Turns } from './turns.ts';

/** Claims the first attempts of new deliveries, in the transaction that writes them. */
export type ClaimFirst = (tx: Db, deliveryIds: readonly string[]) => Promise<void>;

/** The first attempts that this process makes as soon as their event is committed, before the workflows of the deliveries run. */
export type FirstAttempts = {
  /**
   * Runs `record`, which claims first attempts in its transaction. They leave once it returns, and the workflows of its deliveries start beside
   * them. Nobody waits for either. If `record` fails, nothing is sent or started.
   */
  after(ref: VerificationRef, record: (claimFirst: ClaimFirst) => Promise<Recorded>): Promise<Recorded>;
  report: Begun['report'];
  /** Begins to serve the queues of endpoints. */
  run(): void;
  /** Aborted once this process stops. */
  stopping: AbortSignal;
  /**
   * Begins no further attempt, and waits for those under way and for the starts of workflows. It is called again when nothing records any more.
   */
  stop(): Promise<void>;
};

/** Of an event with more endpoints, the other first attempts wait in the queues. */
const atOnceMax = 50;

/** An attempt and the record of its outcome take less, unless the database does not answer. */
const stopMsMax = 20_000;

export function createFirstAttempts(ctx: DeliveryContext, turns: Turns): FirstAttempts {
  const begun = createBegun(turns);
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const follow = (work: Promise<unknown>): void => {
    underWay.add(work);
    const end = () => void underWay.delete(work);
    work.then(end, end);
  };

  const begin = ({ delivery, turn, claimedMs }: Claimed): void => {
    const ageSeconds = delivery.ageSeconds + (performance.now() - claimedMs) / 1_000;
    const report = makeClaimed(ctx, { ...delivery, ageSeconds }, firstOrder(ctx, delivery.id));
    report.then(
      ({ status }) => turn.end(status === 'delivered'),
      () => turn.end(),
    );
    begun.add(delivery, report);
    follow(report);
  };

  const queues = createQueues(ctx, turns, { begin, follow, signal: stopping.signal });

  const recordThenBegin: FirstAttempts['after'] = async ({ verificationId, orgId, environment }, record) => {
    const found: Found = { claimed: [], queued: [] };
    const claimFirst: ClaimFirst = async (tx, deliveryIds) => {
      if (!stopping.signal.aborted && deliveryIds.length > 0)
        await claimInTurn(turns, queues, { tx, deliveryIds, found });
    };
    try {
      const recorded = await record(claimFirst);
      for (const each of found.claimed) begin(each);
      for (const { endpointId } of found.queued) queues.serve({ orgId, endpointId });
      const queuedIds = new Set(found.queued.map(({ id }) => id));
      for (const deliveryId of recorded.deliveryIds.filter((id) => !queuedIds.has(id))) {
        const started = { deliveryId, verificationId, orgId, environment };
        follow(startFirst(ctx, started, stopping.signal));
      }
      ctx.instruments.deferrals.add(found.queued.length);
      return recorded;
    } catch (error) {
      for (const { turn } of found.claimed) turn.giveBack();
      throw error;
    }
  };

  return {
    after(ref, record) {
      const recording = recordThenBegin(ref, record);
      follow(recording);
      return recording;
    },
    report: begun.report,
    run: queues.run,
    stopping: stopping.signal,
    async stop() {
      stopping.abort();
      const untilMs = performance.now() + stopMsMax;
      for (let leftMs = stopMsMax; underWay.size > 0 && leftMs > 0; leftMs = untilMs - performance.now())
        await Promise.race([Promise.allSettled(underWay), pause(leftMs, undefined, { ref: false })]);
    },
  };
}

type Found = { claimed: Claimed[]; queued: { id: string; endpointId: string }[] };

/**
 * What has no turn is not claimed after all, and waits in the queue of its endpoint. No other transaction sees these claims. A paused endpoint
 * grants no claim, so everything for it waits there too.
 */
async function claimInTurn(
  turns: Turns,
  queues: Queues,
  { tx, deliveryIds, found }: { tx: Db; deliveryIds: readonly string[]; found: Found },
): Promise<void> {
  const denied = new Set(deliveryIds);
  for (const delivery of await claimNewDeliveries(tx, deliveryIds.slice(0, atOnceMax))) {
    const turn = queues.has(delivery) ? undefined : turns.takeNow(delivery);
    if (turn === undefined) continue;
    denied.delete(delivery.id);
    found.claimed.push({ delivery, turn, claimedMs: performance.now() });
  }
  if (denied.size > 0) found.queued.push(...(await queueNewOfAnyOrganisation(tx, [...denied])));
}

const firstOrder = ({ retryWaitsMs }: DeliveryContext, deliveryId: string): AttemptDelivery => {
  const [waitMs] = retryWaitsMs;
  return { deliveryId, number: 1, waitMs: waitMs === undefined ? null : jittered(waitMs, Math.random()) };
};
