import { Migration } from '@mikro-orm/migrations';

/** An attempt says with which headers it was sent, and with which it was answered. Housekeeping only empties them (`0002`). */
export class AttemptHeads extends Migration {
  override up(): void {
    this.addSql(`
      alter table delivery_attempts add column heads bytea;
      create trigger delivery_attempts_heads_only_emptied before update of heads on delivery_attempts for each row
        when (new.heads is not null and is_housekeeping())
        execute function only_empty()`);
  }
}
