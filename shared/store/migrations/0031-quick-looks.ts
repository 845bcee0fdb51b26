import { Migration } from '@mikro-orm/migrations';

/** What a quick look at a picture found, and an examination that was made before Send. Both end with the picture. */
export class QuickLooks extends Migration {
  override up(): void {
    this.addSql(`
      alter table evidence
        add column look text null,
        add column advised smallint not null default 0,
        add column examined_ahead jsonb null
    `);
  }
}
