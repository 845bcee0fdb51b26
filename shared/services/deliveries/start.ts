import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryInput, StartDeliveries } from '#contract/workflows.ts';
import type { DeliveryContext } from './context.ts';

export type StartContext = Pick<DeliveryContext, 'temporal' | 'retryWaitsMs'>;

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
export const noWaits: readonly number[] = [];

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
