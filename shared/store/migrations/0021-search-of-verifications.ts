import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Members of an organisation search verifications by method and by outcome, however few match. */
export class SearchOfVerifications extends ConcurrentIndexes {
  override readonly indexes = {
    verifications_search:
      "verifications (org_id, environment, method, (verdict->>'outcome'), created_at desc, id desc)",
  };
}
