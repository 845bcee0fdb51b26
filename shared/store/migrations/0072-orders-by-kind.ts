import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The page of an endpoint shows its newest orders of one kind. Those of the other kind are not read. */
export class OrdersByKind extends ConcurrentIndexes {
  override readonly indexes = {
    delivery_orders_newest_of_kind: 'delivery_orders (endpoint_id, org_id, kind, created_at desc, id desc)',
  };
  override readonly replaced = ['delivery_orders_newest'];
}
