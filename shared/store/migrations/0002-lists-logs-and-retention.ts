import { Migration } from '@mikro-orm/migrations';

/** Supports lists, the request log, key rotation, usage and housekeeping. Each purge has its own index. */
export class ListsLogsAndRetention extends Migration {
  override up(): void {
    this.addSql(
      `alter table api_keys add column replaced_by uuid null, add column last_used_at timestamptz(3) null`,
    );

    this.addSql(`
      create table request_log (
        id bigserial primary key,
        request_id text not null,
        org_id uuid not null,
        environment text not null,
        key_id uuid not null,
        method text not null,
        path text not null,
        status smallint not null,
        code text null,
        duration_ms int not null,
        created_at timestamptz(3) not null
      )
    `);
    this.addSql(`create index request_log_newest on request_log (org_id, created_at desc, id desc)`);
    this.addSql(`create index request_log_expiring on request_log (created_at)`);

    this.addSql(`
      create index requests_expiring on requests (created_at) where ((idempotency_key is not null) or (answer is not null) or (status = 'claimed'::text))
    `);

    this.addSql(`alter table events alter column body drop not null`);
    this.addSql(`create index events_with_body on events (created_at) where (body is not null)`);
    this.addSql(`
      create index delivery_attempts_with_excerpt on delivery_attempts (started_at) where (response_excerpt is not null)
    `);

    this.addSql(`
      create index verifications_charged on verifications (org_id, completed_at) where ((environment = 'live'::text) and (status = 'completed'::text))
    `);
    this.addSql(`create index webhook_endpoints_active on webhook_endpoints (org_id) where (active is true)`);
  }
}
