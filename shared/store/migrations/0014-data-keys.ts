import { Migration } from '@mikro-orm/migrations';

/**
 * Each verification gets a key of its own for what is stored of its person. A verification can be cancelled, withdrawn and erased. An
 * answer names the verification that it is about, so that an erasure finds it.
 */
export class DataKeys extends Migration {
  override up(): void {
    this.addSql(`
      create table data_keys (
        verification_id uuid not null,
        org_id uuid not null,
        value bytea not null,
        created_at timestamptz(3) not null default now(),
        primary key (verification_id)
      ) with (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)
    `);
    this.addSql(`
      alter table data_keys add constraint data_keys_org_id_foreign foreign key (org_id) references organisations (id)
    `);
    this.addSql(`
      alter table verifications
        add column cancelled_at timestamptz(3) null,
        add column withdrawn_at timestamptz(3) null,
        add column erased_at timestamptz(3) null
    `);
    this.addSql('alter table organisations add column erase_by_key boolean not null default false');
    this.addSql('alter table requests add column verification_id uuid null');
  }
}
