import { Migration } from '@mikro-orm/migrations';

/** Counts how often the masking of a document was begun. The version before does not count. */
export class Masking extends Migration {
  override up(): void {
    this.addSql('alter table verifications add column maskings_begun smallint not null default 0');
  }
}
