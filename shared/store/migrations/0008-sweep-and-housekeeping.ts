import { Migration } from '@mikro-orm/migrations';

/**
 * Supports the election of one worker, the end of the deliveries of deactivated endpoints, and the alarm when nothing is purged any
 * more.
 */
export class SweepAndHousekeeping extends Migration {
  override up(): void {
    this.addSql(`
      create table leases (
        name text not null,
        holder uuid not null,
        expires_at timestamptz(3) not null,
        primary key (name)
      )
    `);
    this.addSql(`
      create table deactivations (
        endpoint_id uuid not null constraint deactivations_endpoint_id_foreign references webhook_endpoints (id)
          on update cascade on delete cascade,
        created_at timestamptz(3) not null default now(),
        primary key (endpoint_id)
      )
    `);
    this.addSql(`
      create table purges (
        what text not null,
        done_at timestamptz(3) not null,
        primary key (what)
      )
    `);
  }
}
