import { ConcurrentIndexes } from './concurrent-indexes.ts';

/** Housekeeping finds verifications that nobody finished, and secrets whose overlap is over. */
export class ExpiringRows extends ConcurrentIndexes {
  override readonly indexes = {
    verifications_abandoned: `verifications (link_expires_at) where (status <> 'completed'::text)`,
    webhook_endpoints_overlap: `webhook_endpoints (previous_secret_until) where (previous_secret is not null)`,
  };

  /** Endpoints that were deactivated before keep no secrets either. */
  override async up(): Promise<void> {
    await super.up();
    this.addSql(`
      update webhook_endpoints set secret = '', previous_secret = null, previous_secret_until = null
      where active is false and secret <> ''
    `);
  }
}
