import { Migration } from '@mikro-orm/migrations';

/** An income check is a row of `verifications` with the method `income`. What it has besides is here. */
export class IncomeChecks extends Migration {
  override up(): void {
    this.addSql(`
      create table income_checks (
        verification_id uuid not null,
        org_id uuid not null,
        linked_id uuid,
        document_types text[],
        primary key (verification_id),
        constraint income_checks_org_id_foreign foreign key (org_id) references organisations (id),
        constraint income_checks_verification_id_foreign foreign key (verification_id) references verifications (id)
          on update cascade on delete cascade
      );
      alter table income_checks set (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)`);
  }
}
