import { Migration } from '@mikro-orm/migrations';

/** A member can pause an endpoint. Its deliveries then wait, and use up no attempt. */
export class PausedEndpoints extends Migration {
  override up(): void {
    this.addSql('alter table webhook_endpoints add column paused_at timestamptz(3) null');
    this.addSql('alter table deliveries add column held_at timestamptz(3) null');
  }
}
