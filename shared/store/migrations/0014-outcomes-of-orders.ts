import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** What became of the deliveries of an order, from the index alone. */
export class OutcomesOfOrders extends ConcurrentIndexes {
  override readonly indexes = {
    deliveries_of_order: 'deliveries (order_id, status) where order_id is not null',
  };
}
