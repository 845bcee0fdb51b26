import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Each query on a large table has an index that serves it (test/integration/store/plans.test.ts). */
export class LargeTables extends ConcurrentIndexes {
  override readonly indexes = {
    api_keys_of_organisation: `api_keys (org_id, created_at)`,
    deliveries_asked: `deliveries (event_id) where (trigger <> 'event'::text)`,
    deliveries_open: `deliveries (next_attempt_at, id) where (status = ANY (ARRAY['pending'::text, 'retrying'::text]))`,
    requests_claimed: `requests (created_at) where (status = 'claimed'::text)`,
    verifications_by_status: `verifications (org_id, environment, status, created_at desc, id desc)`,
    webhook_endpoints_failing: `webhook_endpoints (failing_since) where ((active is true) and (failing_since is not null))`,
  };

  override readonly replaced = ['deliveries_due', 'verifications_open'];
}
