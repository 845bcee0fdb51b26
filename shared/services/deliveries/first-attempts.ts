import { setTimeout as pause } from 'node:timers/promises';
import type { AttemptDelivery, AttemptedReport, Recorded, VerificationRef } from '#contract/workflows.ts';
import { jittered } from '#policy/retry-schedule.ts';
import type { Db } from '#store/connection.ts';
import { claimAttempts, unclaimAttempts } from '#store/delivery-attempts.ts';
import { type ClaimedDelivery, makeClaimed } from './attempt.ts';
import type { DeliveryContext } from './context.ts';
import { startFirst } from './start.ts';
import type { Granted, Turns } from './turns.ts';

/** Claims the first attempts of new deliveries, in the transaction that writes them. */
export type ClaimFirst = (tx: Db, deliveryIds: readonly string[]) => Promise<void>;

/** The first attempts that this process makes as soon as their event is committed, before the workflows of the deliveries run. */
export type FirstAttempts = {
  /**
   * Runs `record`, which claims first attempts in its transaction. They leave once it returns, and the workflows of its deliveries start beside
   * them. Nobody waits for either. If `record` fails, nothing is sent or started.
   */
  after(ref: VerificationRef, record: (claimFirst: ClaimFirst) => Promise<Recorded>): Promise<Recorded>;
  /**
   * The report of a first attempt of this process, once. After that the row says what is due. Undefined if there is none. With `soon`, undefined
   * also if the attempt does not end soon, because a workflow task must not wait for long. Rejects if the attempt could not be made.
   */
  report(deliveryId: string, when?: 'soon'): Promise<AttemptedReport | undefined>;
  /** Begins no further attempt, and waits for those under way and for the starts of workflows. */
  stop(): Promise<void>;
};

/** The first attempts of an event with more endpoints are made by the workflows of its deliveries. */
const atOnceMax = 50;

/** The workflow of a delivery asks within this time, unless its start was lost. */
const rememberedMs = 20_000;

/** How long a workflow task waits for an attempt: at a receiver that recently answered fast, and at any other. */
const patienceMs = { fast: 500, other: 100 };

type Claimed = { delivery: ClaimedDelivery; turn: Granted };

export function createFirstAttempts(ctx: DeliveryContext, turns: Turns): FirstAttempts {
  const begun = new Map<string, { endpointId: string; report: Promise<AttemptedReport> }>();
  const underWay = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const follow = (work: Promise<unknown>): void => {
    underWay.add(work);
    const end = () => void underWay.delete(work);
    work.then(end, end);
  };

  const begin = ({ delivery, turn }: Claimed): void => {
    const { id, endpointId } = delivery;
    const report = makeClaimed(ctx, delivery, firstOrder(ctx, id)).finally(turn.end);
    begun.set(id, { endpointId, report });
    follow(report);
    const forget = () => void begun.delete(id);
    // If the attempt could not be made, the workflow of the delivery claims it again.
    report.then(() => void setTimeout(forget, rememberedMs).unref(), forget);
  };

  const recordThenBegin: FirstAttempts['after'] = async (ref, record) => {
    const claimed: Claimed[] = [];
    const claimFirst: ClaimFirst = async (tx, deliveryIds) => {
      if (!stopping.signal.aborted && deliveryIds.length > 0)
        await claimInTurn(turns, tx, deliveryIds, claimed);
    };
    try {
      const recorded = await record(claimFirst);
      for (const each of claimed) begin(each);
      const begunIds = new Set(claimed.map(({ delivery }) => delivery.id));
      const { verificationId, orgId, environment } = ref;
      for (const deliveryId of recorded.deliveryIds) {
        const started = { deliveryId, verificationId, orgId, environment };
        follow(startFirst(ctx, started, { isBegun: begunIds.has(deliveryId), signal: stopping.signal }));
      }
      return recorded;
    } catch (error) {
      for (const { turn } of claimed) turn.end();
      throw error;
    }
  };

  return {
    after(ref, record) {
      const recording = recordThenBegin(ref, record);
      follow(recording);
      return recording;
    },
    async report(deliveryId, when) {
      const attempt = begun.get(deliveryId);
      if (attempt === undefined) return undefined;
      const patience = turns.isFast(attempt.endpointId) ? patienceMs.fast : patienceMs.other;
      const report = await (when === 'soon'
        ? Promise.race([attempt.report, pause(patience, undefined, { ref: false })])
        : attempt.report);
      if (report !== undefined) begun.delete(deliveryId);
      return report;
    },
    async stop() {
      stopping.abort();
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

/** What has no turn is not claimed after all. No other transaction sees these claims. */
async function claimInTurn(
  turns: Turns,
  tx: Db,
  deliveryIds: readonly string[],
  granted: Claimed[],
): Promise<void> {
  const denied: string[] = [];
  for (const delivery of await claimAttempts(tx, deliveryIds.slice(0, atOnceMax), 1)) {
    const turn = turns.takeNow(delivery);
    if (turn === undefined) denied.push(delivery.id);
    else granted.push({ delivery, turn });
  }
  if (denied.length > 0) await unclaimAttempts(tx, denied, 1);
}

const firstOrder = ({ retryWaitsMs }: DeliveryContext, deliveryId: string): AttemptDelivery => {
  const [waitMs] = retryWaitsMs;
  return { deliveryId, number: 1, waitMs: waitMs === undefined ? null : jittered(waitMs, Math.random()) };
};
