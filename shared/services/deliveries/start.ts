import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryInput, StartDeliveries } from '#contract/workflows.ts';
import { findOverdueDeliveriesOfAnyOrganisation } from '#store/deliveries.ts';
import type { DeliveryContext } from './context.ts';

/** Starts the workflow of each delivery. The ids are fixed, so a repeat starts nothing twice. */
export async function startDeliveries(ctx: DeliveryContext, order: StartDeliveries): Promise<void> {
  const { deliveryIds, ...event } = order;
  await Promise.all(
    deliveryIds.map((deliveryId) =>
      ctx.engine.startDelivery({ ...event, deliveryId, waitsMs: ctx.retryWaitsMs, onTheSpot: true }),
    ),
  );
}

const atOnceMs = 1_000;

/** The same, within a second; otherwise the ids are given back, for the workflow to see to. */
export async function startDeliveriesAtOnce(ctx: DeliveryContext, order: StartDeliveries): Promise<string[]> {
  const started = await Promise.race([
    startDeliveries(ctx, order).then(
      () => true,
      () => false,
    ),
    pause(atOnceMs, false, { ref: false }),
  ]);
  return started ? [] : order.deliveryIds;
}

/** A delivery that somebody asked for makes one attempt (decisions 31 and 32). */
const noWaits: readonly number[] = [];

type AskedDeliveries = Pick<DeliveryInput, 'orgId' | 'environment' | 'verificationId'> & {
  deliveryIds: readonly string[];
};

/** Starts deliveries that somebody asked for. Their rows are due, so the sweep starts those that do not start within a second. */
export async function startAskedDeliveries(
  { engine }: Pick<DeliveryContext, 'engine'>,
  { deliveryIds, ...event }: AskedDeliveries,
): Promise<void> {
  await Promise.allSettled(
    deliveryIds.map((deliveryId) =>
      engine.startDelivery({ ...event, deliveryId, waitsMs: noWaits }, atOnceMs),
    ),
  );
}

const overdueMs = 120_000;

/** What was due before this moment has lost its workflow. */
export const overdueBefore = ({ clock }: Pick<DeliveryContext, 'clock'>): Date =>
  new Date(clock.now().getTime() - overdueMs);

const batchSize = 500;
const firstId = '00000000-0000-0000-0000-000000000000';

/** Starts again what lost its workflow (decision 36); returns how many were overdue. A running workflow is left alone. */
export async function restartOverdueDeliveries(ctx: Omit<DeliveryContext, 'sender'>): Promise<number> {
  const dueBefore = overdueBefore(ctx);
  let overdue = 0;
  for (let after = { at: new Date(0), id: firstId }; ; ) {
    const batch = await findOverdueDeliveriesOfAnyOrganisation(ctx.store.db, {
      after,
      dueBefore,
      limit: batchSize,
    });
    for (const { id, orgId, environment, verificationId, trigger } of batch)
      await ctx.engine.startDelivery({
        deliveryId: id,
        orgId,
        environment,
        verificationId,
        waitsMs: trigger === 'event' ? ctx.retryWaitsMs : noWaits,
      });
    overdue += batch.length;
    const last = batch.at(-1);
    if (batch.length < batchSize || !last?.nextAttemptAt) return overdue;
    after = { at: last.nextAttemptAt, id: last.id };
  }
}
