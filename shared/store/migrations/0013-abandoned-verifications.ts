import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Housekeeping finds the verifications that nobody finished. */
export class AbandonedVerifications extends ConcurrentIndexes {
  override readonly indexes = {
    verifications_abandoned: `verifications (link_expires_at) where (status <> 'completed'::text)`,
  };
}
