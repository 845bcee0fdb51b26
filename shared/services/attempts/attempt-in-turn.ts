import { hourMs } from '#contract/time.ts';
import type { AttemptDelivery, AttemptReport, DeferredReport, ElsewhereReport } from '#contract/workflows.ts';
import { createExpiringCache, type ExpiringCache } from '#platform/expiring-cache.ts';
import { pauseUnless } from '#platform/pause.ts';
import {
  findDestinationOfAnyOrganisation,
  postponeDeliveryOfAnyOrganisation,
} from '#store/webhooks/deliveries.ts';
import { ageOfOpenAttemptOfAnyOrganisation } from '#store/webhooks/delivery-attempts.ts';
import { attemptDelivery, outcomeUnknownAfterMs, reportUnlessDue } from './attempt.ts';
import type { DeliveryContext } from './context.ts';
import { createFirstAttempts, type FirstAttempts } from './first-attempts.ts';
import { createTurns, type Destination, type TurnLimits } from './turns.ts';

/** Destinations are cached, because they never change and a deferred delivery reads its destination many times. */
const cached = { entriesMax: 10_000, lifetimeMs: hourMs };

export type Attempts = {
  first: FirstAttempts;
  /**
   * Makes the attempt of a workflow, unless it was made or begun already. If the delivery must wait for its turn (`turns.ts`), it is
   * deferred. A deferral uses no attempt, no row of an attempt and no connection to the receiver. After the wait, the workflow requests
   * the attempt again.
   */
  attempt(order: AttemptDelivery): Promise<AttemptReport>;
};

/** All attempts of this process. */
export function createAttempts(ctx: DeliveryContext, limits: TurnLimits): Attempts {
  const turns = createTurns(limits, ctx.clock);
  const first = createFirstAttempts(ctx, turns);
  const destinations: ExpiringCache<Destination> = createExpiringCache({ ...cached, clock: ctx.clock });

  const inTurn = async (order: AttemptDelivery): Promise<AttemptReport> => {
    const { deliveryId } = order;
    const destination = await destinations.read(deliveryId, () =>
      findDestinationOfAnyOrganisation(ctx.store.db, deliveryId),
    );
    if (destination === undefined) return attemptDelivery(ctx, order);
    const turn = turns.take(destination);
    if (!turn.granted) {
      ctx.instruments.deferrals.add(1);
      ctx.instruments.deferredWaits.add(turn.waitMs / 1_000);
      return (await defer(ctx, order, turn.waitMs)) ?? attemptDelivery(ctx, order);
    }
    let isAccepted: boolean | undefined;
    try {
      const report = await attemptDelivery(ctx, order);
      if (report.attempts >= order.number) isAccepted = report.status === 'delivered';
      return report;
    } finally {
      turn.end(isAccepted);
    }
  };

  const attempt = async (order: AttemptDelivery): Promise<AttemptReport> => {
    const { deliveryId, onTheSpot, begun, woken } = order;
    if (onTheSpot) return (await first.report(deliveryId, 'soon')) ?? elsewhere;
    if (begun) {
      const report = await first.report(deliveryId).catch(() => undefined);
      if (report !== undefined) return report;
      await endedElsewhere(ctx, deliveryId, first.stopping);
    }
    // This check comes before the turn, because a deferral would change the time at which the attempt is due.
    const early = (begun || woken) && (await reportUnlessDue(ctx, order));
    return early || inTurn(order);
  };
  return { first, attempt };
}

const elsewhere: ElsewhereReport = { elsewhere: true };

const lookEveryMs = 500;

/** Waits for the outcome of an attempt that another process makes, until it is certain that there will be none. */
async function endedElsewhere(
  { store }: DeliveryContext,
  deliveryId: string,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const ageMs = await ageOfOpenAttemptOfAnyOrganisation(store.db, deliveryId);
    if (ageMs === undefined || ageMs >= outcomeUnknownAfterMs) return;
    await pauseUnless(stopping, lookEveryMs);
  }
}

/** Returns undefined if the delivery has already ended. */
async function defer(
  ctx: DeliveryContext,
  { deliveryId }: AttemptDelivery,
  waitMs: number,
): Promise<DeferredReport | undefined> {
  const status = await postponeDeliveryOfAnyOrganisation(ctx.store.db, deliveryId, waitMs);
  return status && { deferred: true, status, waitMs };
}
