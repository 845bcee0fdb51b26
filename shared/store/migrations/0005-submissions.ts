import { Migration } from '@mikro-orm/migrations';

/** A transaction of its own: an index of a large table takes a while to make, in which it may be read. */
export class Submissions extends Migration {
  override up(): void {
    this.addSql(`
      create index verifications_submitted on verifications (submitted_at, id) where ((submitted_at is not null) and (status <> 'completed'::text))
    `);
  }
}
