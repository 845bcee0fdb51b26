import { Migration } from '@mikro-orm/migrations';

/**
 * The end of the business relationship that a verification belongs to, from which its years count. An organisation remembers up to which
 * time of completion it was warned that its verifications will be removed.
 */
export class Relations extends Migration {
  override up(): void {
    this.addSql(`
      alter table verifications
        add column relation_ended_at timestamptz(3) null,
        add column relation_continues boolean not null default false
    `);
    this.addSql('alter table organisations add column removals_warned_until timestamptz(3) null');
  }
}
