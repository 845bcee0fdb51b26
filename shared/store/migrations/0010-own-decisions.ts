import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** A member looks back at what they decided. */
export class OwnDecisions extends ConcurrentIndexes {
  override readonly indexes = {
    review_decisions_of_member: 'review_decisions (org_id, environment, member_id, created_at desc, id desc)',
  };
}
