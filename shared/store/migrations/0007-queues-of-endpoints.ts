import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The queue of each endpoint, in its order. */
export class QueuesOfEndpoints extends ConcurrentIndexes {
  override readonly indexes = {
    deliveries_queued: 'deliveries (endpoint_id, created_at, id) where queued_at is not null',
  };
}
