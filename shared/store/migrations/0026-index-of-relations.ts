import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Housekeeping finds the completed verifications whose years are over. One that must stay is not in the index. */
export class IndexOfRelations extends ConcurrentIndexes {
  override readonly indexes = {
    verifications_kept: `verifications ((coalesce(relation_ended_at, completed_at)), id)
      where (completed_at is not null and relation_continues is false)`,
  };
}
