import { Migration } from '@mikro-orm/migrations';

/** A delivery whose first attempt waits for its turn is a row alone. `queued_at` says since when. */
export class QueuedDeliveries extends Migration {
  override up(): void {
    this.addSql('alter table deliveries add column queued_at timestamptz(3)');
  }
}
