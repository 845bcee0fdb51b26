import { Migration } from '@mikro-orm/migrations';

/** A delivery says which order sent it again, so an order can say what became of its events. */
export class OrdersOfDeliveries extends Migration {
  override up(): void {
    this.addSql('alter table deliveries add column order_id uuid');
  }
}
