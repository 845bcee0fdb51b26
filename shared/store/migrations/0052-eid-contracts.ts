import { Migration } from '@mikro-orm/migrations';

/** The contract of an organisation with its acquirer, for iDIN in live. */
export class EidContracts extends Migration {
  override up(): void {
    this.addSql(`
      create table eid_contracts (
        org_id uuid not null,
        value bytea not null,
        certificate_ends_at timestamptz(3) not null,
        simulated boolean not null,
        issuers jsonb not null,
        issuers_at timestamptz(3) not null default now(),
        changed_at timestamptz(3) not null default now(),
        primary key (org_id)
      ) with (${vacuumed})
    `);
  }
}

/** As every table: old rows leave soon after their change. */
const vacuumed = `
  autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000`;
