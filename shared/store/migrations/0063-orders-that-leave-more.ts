import { Migration } from '@mikro-orm/migrations';

/** A column with a constant default needs no rewrite of its table. */
export class OrdersThatLeaveMore extends Migration {
  override up(): void {
    this.addSql('alter table delivery_orders add column more_left boolean not null default false');
  }
}
