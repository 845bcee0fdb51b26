import { Migration } from '@mikro-orm/migrations';

/**
 * Receivers' answers are stored encrypted, in a column of their own. The version before writes them in clear to the old column, so a
 * trigger drops its values. The next release drops the trigger and the column.
 */
export class SealedAnswers extends Migration {
  override up(): void {
    this.addSql('alter table delivery_attempts add column answer bytea null');
    this.addSql(`
      create function drop_response_excerpt() returns trigger language plpgsql as $function$
      begin
        new.response_excerpt := null;
        return new;
      end $function$
    `);
    this.addSql(`
      create trigger delivery_attempts_in_clear before insert or update of response_excerpt on delivery_attempts
        for each row when (new.response_excerpt is not null) execute function drop_response_excerpt()
    `);
  }
}
