import { Migration } from '@mikro-orm/migrations';

/**
 * This is a separate migration, because on a large table the index takes some time to build. Meanwhile writes to the table wait,
 * but reads do not.
 */
export class Submissions extends Migration {
  override up(): void {
    this.addSql(`
      create index verifications_submitted on verifications (submitted_at, id) where ((submitted_at is not null) and (status <> 'completed'::text))
    `);
  }
}
