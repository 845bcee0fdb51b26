import { Migration } from '@mikro-orm/migrations';

/** The months of verifications that were removed, so that the totals of usage stay. */
export class RemovedUsage extends Migration {
  override up(): void {
    this.addSql(`
      create table removed_usage (
        org_id uuid not null constraint removed_usage_org_id_foreign references organisations (id),
        month timestamptz(3) not null,
        verifications integer not null,
        primary key (org_id, month)
      ) with (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)
    `);
  }
}
