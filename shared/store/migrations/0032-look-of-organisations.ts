import { Migration } from '@mikro-orm/migrations';

/** How the hosted pages of an organisation look, and where they lead back to. */
export class LookOfOrganisations extends Migration {
  override up(): void {
    this.addSql(`
      alter table organisations
        add column colour text null,
        add column return_url text null
    `);
    this.addSql(`
      alter table organisations add constraint organisations_colour check (colour ~ '^#[0-9a-f]{6}$') not valid
    `);
    this.addSql('alter table organisations validate constraint organisations_colour');
    this.addSql(`
      create table organisation_logos (
        org_id uuid not null,
        sha256 bytea not null,
        picture bytea not null,
        changed_at timestamptz(3) not null default now(),
        primary key (org_id)
      ) with (${vacuumed})
    `);
    this.addSql('create index organisation_logos_sha256_index on organisation_logos (sha256)');
  }
}

/** As every table: old rows leave soon after their change. */
const vacuumed = `
  autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000`;
