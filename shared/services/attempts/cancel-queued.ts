import { cancelQueuedOfAnyOrganisation } from '#store/webhooks/delivery-queue.ts';
import type { DeliveryContext } from './context.ts';

/**
 * Cancels up to `limit` deliveries in the queue of an endpoint that is not active any more, which have no workflow that could do it. Returns
 * their number.
 */
export async function cancelQueued(
  { store, instruments }: Pick<DeliveryContext, 'store' | 'instruments'>,
  queue: { endpointId: string; limit: number },
): Promise<number> {
  const cancelled = await cancelQueuedOfAnyOrganisation(store.db, queue);
  instruments.deliveriesSettled.add(cancelled, { status: 'cancelled' });
  return cancelled;
}
