import { Migration } from '@mikro-orm/migrations';

/** Supports the health of endpoints, the rotation of their secrets and the log of attempts. */
export class WebhookOperations extends Migration {
  override up(): void {
    this.addSql(`
      alter table webhook_endpoints
        add column previous_secret bytea null,
        add column previous_secret_until timestamptz(3) null,
        add column consecutive_failures int not null default 0,
        add column failing_since timestamptz(3) null,
        add column last_success_at timestamptz(3) null
    `);
    this.addSql(`alter table delivery_attempts add column phase text null`);
    this.addSql(`
      create index deliveries_by_status on deliveries (endpoint_id, status, created_at desc, id desc)
    `);
  }
}
