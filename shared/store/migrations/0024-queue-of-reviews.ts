import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** The queue of verifications that a person has to decide. It holds few rows of a large table. */
export class QueueOfReviews extends ConcurrentIndexes {
  override readonly indexes = {
    verifications_to_review: `verifications (org_id, environment, completed_at, id) where (status = 'completed'::text and erased_at is null and verdict ->> 'reviewed' = 'false'::text and (verdict ->> 'outcome' = 'review'::text or reopened_at is not null))`,
  };
}
