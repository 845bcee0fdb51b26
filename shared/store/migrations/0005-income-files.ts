import { Migration } from '@mikro-orm/migrations';

/**
 * The documents of income checks. The row of `evidence` with the kind `papers` is their manifest, so they end with it, whatever ends it.
 * The hashes stay as long as the income check, to find a document that comes again.
 */
export class IncomeFiles extends Migration {
  override up(): void {
    this.addSql(`
      alter table income_checks add column judgement bytea;

      create table income_files (
        id uuid not null,
        verification_id uuid not null,
        kind text not null,
        org_id uuid not null,
        environment text not null,
        sha256 bytea not null,
        size integer not null,
        file bytea,
        pages bytea,
        primary key (id),
        constraint income_files_org_id_foreign foreign key (org_id) references organisations (id),
        constraint income_files_verification_id_kind_foreign foreign key (verification_id, kind)
          references evidence (verification_id, kind) on update cascade on delete cascade
      );
      alter table income_files alter column file set storage external;
      alter table income_files alter column pages set storage external;
      create index income_files_of_case on income_files (verification_id, kind);

      create table income_hashes (
        verification_id uuid not null,
        sha256 bytea not null,
        org_id uuid not null,
        environment text not null,
        primary key (verification_id, sha256),
        constraint income_hashes_org_id_foreign foreign key (org_id) references organisations (id),
        constraint income_hashes_verification_id_foreign foreign key (verification_id) references verifications (id)
          on delete cascade
      );
      create index income_hashes_same on income_hashes (org_id, environment, sha256)`);
    for (const table of ['income_files', 'income_hashes'])
      this.addSql(`
        alter table ${table} set (
          autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
          autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
          autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)`);
  }
}
