import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryInput, StartDeliveries } from '#contract/workflows.ts';
import { findOverdueDeliveriesOfAnyOrganisation } from '#store/deliveries.ts';
import { firstPlace, inBatches } from '../lists/in-batches.ts';
import type { DeliveryContext } from './context.ts';

type StartContext = Pick<DeliveryContext, 'temporal' | 'retryWaitsMs'>;

/**
 * Starts the workflow of each delivery. The id of the workflow is derived from the id of the delivery. So a repetition starts no
 * second workflow while the first one runs.
 */
export async function startDeliveries(ctx: StartContext, order: StartDeliveries): Promise<void> {
  const { deliveryIds, ...event } = order;
  await Promise.all(
    deliveryIds.map((deliveryId) =>
      ctx.temporal.startDelivery({ ...event, deliveryId, waitsMs: ctx.retryWaitsMs, onTheSpot: true }),
    ),
  );
}

const atOnceMs = 1_000;

/**
 * Starts the deliveries and returns an empty list. If the start fails or takes over a second, returns the ids of the deliveries.
 * The workflow then starts these deliveries by a regular activity.
 */
export async function startDeliveriesAtOnce(ctx: StartContext, order: StartDeliveries): Promise<string[]> {
  const started = await Promise.race([
    startDeliveries(ctx, order).then(
      () => true,
      () => false,
    ),
    pause(atOnceMs, false, { ref: false }),
  ]);
  return started ? [] : order.deliveryIds;
}

/** A test or a resend has no waits, because it makes only one attempt (decisions 31 and 32). */
const noWaits: readonly number[] = [];

type AskedDeliveries = Pick<DeliveryInput, 'orgId' | 'environment' | 'verificationId'> & {
  deliveryIds: readonly string[];
};

/**
 * Starts a test or a resend. If the start fails or takes over a second, the sweep starts the delivery later, because its row is
 * due.
 */
export async function startAskedDeliveries(
  { temporal }: Pick<DeliveryContext, 'temporal'>,
  { deliveryIds, ...event }: AskedDeliveries,
): Promise<void> {
  await Promise.allSettled(
    deliveryIds.map((deliveryId) =>
      temporal.startDelivery({ ...event, deliveryId, waitsMs: noWaits }, atOnceMs),
    ),
  );
}

const overdueMs = 120_000;

/** An open delivery that was due before this time is overdue. Its workflow was lost or never started, or no worker ran. */
export const overdueBefore = ({ clock }: Pick<DeliveryContext, 'clock'>): Date =>
  new Date(clock.now().getTime() - overdueMs);

const batchSize = 500;

/**
 * Starts the workflows of overdue deliveries again (decision 36), and returns the number of these deliveries. A workflow that still
 * sleeps, for example since the database was restored to an older state, is woken.
 */
export async function restartOverdueDeliveries(
  ctx: StartContext & Pick<DeliveryContext, 'store' | 'clock'>,
): Promise<number> {
  const dueBefore = overdueBefore(ctx);
  const batches = inBatches(
    firstPlace,
    batchSize,
    (after, limit) => findOverdueDeliveriesOfAnyOrganisation(ctx.store.db, { after, dueBefore, limit }),
    ({ nextAttemptAt: at, id }) => ({ at, id }),
  );
  let overdue = 0;
  for await (const batch of batches) {
    for (const { id: deliveryId, trigger, orgId, environment, verificationId } of batch) {
      const waitsMs = trigger === 'event' ? ctx.retryWaitsMs : noWaits;
      await ctx.temporal.wakeDelivery({ deliveryId, orgId, environment, verificationId, waitsMs });
    }
    overdue += batch.length;
  }
  return overdue;
}
