import { Migration } from '@mikro-orm/migrations';

/**
 * By default, Postgres vacuums a table when a fifth of its rows are dead. Of a hundred million rows that is too late, so every table
 * is vacuumed and analysed earlier. Free space in a page makes updates cheaper whose columns are in no index. The locks of these
 * changes stop neither readers nor writers. docs/choices/large-tables.md has the figures.
 */
export class Vacuum extends Migration {
  override up(): void {
    this.addSql(`
      do $$
      declare
        existing regclass;
      begin
        for existing in
          select oid from pg_class
          where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
        loop
          execute format(
            'alter table %s set (
              autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
              autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
              autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)', existing);
        end loop;
      end
      $$
    `);
    for (const table of ['api_keys', 'verifications', 'webhook_endpoints'])
      this.addSql(`alter table ${table} set (fillfactor = 85)`);
  }
}
