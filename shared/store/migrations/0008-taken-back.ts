import { Migration } from '@mikro-orm/migrations';

/**
 * A decision of a reviewer is carried out from `due_at` on. Before that its member can take it back, and then the row goes. One that is due
 * stays, whoever has the product's password for the database; only with its verification it ends. A member can switch keys without Ctrl off.
 */
export class TakenBack extends Migration {
  override up(): void {
    this.addSql(`
      alter table review_decisions add column due_at timestamptz(3);
      create function keep_due_decision() returns trigger language plpgsql as $function$
      begin
        raise insufficient_privilege using message = 'a decision that is due stays';
      end $function$;
      create trigger review_decisions_keep_due before delete on review_decisions for each row
        when (pg_trigger_depth() = 0 and (old.recorded_at is not null or old.due_at is null or old.due_at <= now()))
        execute function keep_due_decision();
      alter table members add column has_shortcuts boolean not null default true`);
  }
}
