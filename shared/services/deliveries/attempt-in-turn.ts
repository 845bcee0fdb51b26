import type { AttemptDelivery, AttemptReport, DeferredReport, ElsewhereReport } from '#contract/workflows.ts';
import { createExpiringCache, type ExpiringCache } from '#platform/expiring-cache.ts';
import { findDestinationOfAnyOrganisation, postponeDeliveryOfAnyOrganisation } from '#store/deliveries.ts';
import { attemptDelivery } from './attempt.ts';
import type { DeliveryContext } from './context.ts';
import { createTurns, type TurnLimits, turnLimits, type Whereto } from './turns.ts';

/** Where deliveries go never changes; those that wait are asked for again and again. */
const remembered = { entriesMax: 10_000, lifetimeMs: 3_600_000 };

/**
 * Attempts of this process, each when it is its turn. One whose endpoint or organisation has its share under way is put off:
 * it uses up no attempt, no row, no connection, and its workflow asks again after the wait.
 */
export function createAttempts(ctx: DeliveryContext, limits: TurnLimits = turnLimits) {
  const turns = createTurns(limits, ctx.clock);
  const known: ExpiringCache<Whereto> = createExpiringCache({ ...remembered, clock: ctx.clock });

  return async (order: AttemptDelivery): Promise<AttemptReport> => {
    const { deliveryId } = order;
    const whereto = await known.read(deliveryId, () =>
      findDestinationOfAnyOrganisation(ctx.store.db, deliveryId),
    );
    if (whereto === undefined) return attemptDelivery(ctx, order);
    const turn = order.onTheSpot ? turns.takeOnTheSpot(whereto) : turns.take(whereto);
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
