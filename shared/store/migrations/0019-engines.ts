import { Migration } from '@mikro-orm/migrations';

/** Remembers which engine made the checks of an examination. The version before does not write it. */
export class Engines extends Migration {
  override up(): void {
    this.addSql('alter table examinations add column engine jsonb null');
  }
}
