import { Migration } from '@mikro-orm/migrations';

/** A nullable column without a default needs no rewrite of its table. */
export class RunsToStart extends Migration {
  override up(): void {
    this.addSql('alter table verifications add column run_due_since timestamptz(3)');
  }
}
