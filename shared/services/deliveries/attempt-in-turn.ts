import type { AttemptDelivery, AttemptReport, DeferredReport, ElsewhereReport } from '#contract/workflows.ts';
import { createExpiringCache, type ExpiringCache } from '#platform/expiring-cache.ts';
import { findDestinationOfAnyOrganisation, postponeDeliveryOfAnyOrganisation } from '#store/deliveries.ts';
import { attemptDelivery } from './attempt.ts';
import type { DeliveryContext } from './context.ts';
import { createTurns, type Destination, type TurnLimits, turnLimits } from './turns.ts';

/** The destination of a delivery never changes, and a deferred delivery comes again and again. */
const cached = { entriesMax: 10_000, lifetimeMs: 3_600_000 };

/**
 * The attempts of this process, each in its turn. While its endpoint or organisation has its share under way, a delivery is
 * deferred: it uses up no attempt, no row and no connection, and its workflow asks again after the wait.
 */
export function createAttempts(ctx: DeliveryContext, limits: TurnLimits = turnLimits) {
  const turns = createTurns(limits, ctx.clock);
  const destinations: ExpiringCache<Destination> = createExpiringCache({ ...cached, clock: ctx.clock });

  return async (order: AttemptDelivery): Promise<AttemptReport> => {
    const { deliveryId } = order;
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

/** Undefined when the delivery has ended, so there is nothing to defer. */
async function defer(
  ctx: DeliveryContext,
  { deliveryId }: AttemptDelivery,
  waitMs: number,
): Promise<DeferredReport | undefined> {
  const status = await postponeDeliveryOfAnyOrganisation(ctx.store.db, deliveryId, waitMs);
  return status && { deferred: true, status, waitMs };
}
