import { Migration } from '@mikro-orm/migrations';

/** A transaction of its own: on a large table the index takes some time, and reads go on meanwhile. */
export class Submissions extends Migration {
  override up(): void {
    this.addSql(`
      create index verifications_submitted on verifications (submitted_at, id) where ((submitted_at is not null) and (status <> 'completed'::text))
    `);
  }
}
