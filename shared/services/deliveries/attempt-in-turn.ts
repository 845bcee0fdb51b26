import type { AttemptDelivery, AttemptReport, DeferredReport, ElsewhereReport } from '#contract/workflows.ts';
import { createExpiringCache, type ExpiringCache } from '#platform/expiring-cache.ts';
import { findDestinationOfAnyOrganisation, postponeDeliveryOfAnyOrganisation } from '#store/deliveries.ts';
import { attemptDelivery, reportUnlessDue } from './attempt.ts';
import type { DeliveryContext } from './context.ts';
import { createTurns, type Destination, type TurnLimits, turnLimits } from './turns.ts';

/** Destinations are cached, because they never change and a deferred delivery reads its destination many times. */
const cached = { entriesMax: 10_000, lifetimeMs: 3_600_000 };

/**
 * Makes the attempts of this process. If the delivery must wait for its turn (`turns.ts`), the delivery is deferred. A deferral
 * uses no attempt, no row of an attempt and no connection to the receiver. After the wait, the workflow requests the attempt again.
 */
export function createAttempts(ctx: DeliveryContext, limits: TurnLimits = turnLimits) {
  const turns = createTurns(limits, ctx.clock);
  const destinations: ExpiringCache<Destination> = createExpiringCache({ ...cached, clock: ctx.clock });

  return async (order: AttemptDelivery): Promise<AttemptReport> => {
    const { deliveryId } = order;
    // This check comes before the turn, because a deferral would change the time at which the attempt is due.
    const early = order.woken && (await reportUnlessDue(ctx, order));
    if (early) return early;
    const destination = await destinations.read(deliveryId, () =>
      findDestinationOfAnyOrganisation(ctx.store.db, deliveryId),
    );
    if (destination === undefined) return attemptDelivery(ctx, order);
    const turn = order.onTheSpot ? turns.takeInline(destination) : turns.take(destination);
    if (turn === undefined) return elsewhere;
    if (!turn.granted) {
      ctx.instruments.deferrals.add(1);
      return (await defer(ctx, order, turn.waitMs)) ?? attemptDelivery(ctx, order);
    }
    try {
      return await attemptDelivery(ctx, order);
    } finally {
      turn.end();
    }
  };
}

const elsewhere: ElsewhereReport = { elsewhere: true };

/** Returns undefined if the delivery has already ended. */
async function defer(
  ctx: DeliveryContext,
  { deliveryId }: AttemptDelivery,
  waitMs: number,
): Promise<DeferredReport | undefined> {
  const status = await postponeDeliveryOfAnyOrganisation(ctx.store.db, deliveryId, waitMs);
  return status && { deferred: true, status, waitMs };
}
