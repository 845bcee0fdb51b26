import { Migration } from '@mikro-orm/migrations';

/** What made each check of an examination, and by which rule. The version before neither writes nor reads it. */
export class MakingOfChecks extends Migration {
  override up(): void {
    this.addSql('alter table examinations add column makings jsonb null');
  }
}
