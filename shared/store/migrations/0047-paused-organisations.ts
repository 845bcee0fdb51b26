import { Migration } from '@mikro-orm/migrations';

/** A column with a constant default needs no rewrite of its table. */
export class PausedOrganisations extends Migration {
  override up(): void {
    this.addSql('alter table organisations add column paused boolean not null default false');
  }
}
