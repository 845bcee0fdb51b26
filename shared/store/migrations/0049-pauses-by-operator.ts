import { Migration } from '@mikro-orm/migrations';

/** The operator can pause an endpoint too. Pauses from before are those of members. An order of the operator has no member. */
export class PausesByOperator extends Migration {
  override up(): void {
    this.addSql('alter table webhook_endpoints add column paused_by text null');
    this.addSql('alter table delivery_orders alter column member_id drop not null');
  }
}
