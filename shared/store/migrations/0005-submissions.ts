import { Migration } from '@mikro-orm/migrations';

/** A separate migration: on a large table, building the index takes some time and blocks writes, but not reads. */
export class Submissions extends Migration {
  override up(): void {
    this.addSql(`
      create index verifications_submitted on verifications (submitted_at, id) where ((submitted_at is not null) and (status <> 'completed'::text))
    `);
  }
}
