import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The deliveries that wait because their endpoint is paused. They are released when it is resumed. */
export class IndexOfHeldDeliveries extends ConcurrentIndexes {
  override readonly indexes = {
    deliveries_held: `deliveries (endpoint_id, created_at, id) where (held_at is not null and status = any (array['pending'::text, 'retrying'::text]))`,
  };
}
