import type { DeliveryInput } from '#contract/workflows.ts';
import { pauseUnless } from '#platform/pause.ts';
import type { DeliveryContext } from './context.ts';

export type StartContext = Pick<DeliveryContext, 'temporal' | 'retryWaitsMs'>;

export type NewDelivery = Omit<DeliveryInput, 'waitsMs' | 'onTheSpot'>;

export const firstInput = (
  { retryWaitsMs: waitsMs }: Pick<StartContext, 'retryWaitsMs'>,
  delivery: NewDelivery,
): DeliveryInput => ({ ...delivery, waitsMs, onTheSpot: true });

/** The waits between the tries to start a workflow. */
const patienceMs = [500, 1_000, 2_000, 4_000];

/**
 * Starts the workflow of a new delivery, if need be after some tries. The id of the workflow is derived from the id of the delivery. So a
 * repetition starts no second workflow while the first one runs. What cannot be started is left to the sweep, because its row is due.
 * The first attempt may have begun in this process.
 */
export async function startFirst(
  { temporal, retryWaitsMs }: StartContext,
  delivery: NewDelivery,
  signal: AbortSignal,
): Promise<void> {
  const input = firstInput({ retryWaitsMs }, delivery);
  for (const waitMs of [...patienceMs, 0]) {
    const isStarted = await temporal.startDelivery(input).then(
      () => true,
      () => false,
    );
    if (isStarted || signal.aborted) return;
    await pauseUnless(signal, waitMs);
  }
}

const atOnceMs = 1_000;

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
