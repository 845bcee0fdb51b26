import { Migration } from '@mikro-orm/migrations';

/** A member can add a note to a decision. It can name a person, so it is sealed and an erasure removes it. Nobody can change it. */
export class ReviewNotes extends Migration {
  override up(): void {
    this.addSql(`
      alter table review_decisions add column note bytea;
      create function keep_note() returns trigger language plpgsql as $function$
      begin
        raise insufficient_privilege using message = 'a note is removed, never changed';
      end $function$;
      create trigger review_decisions_keep_note before update of note on review_decisions for each row
        when (new.note is not null and new.note is distinct from old.note)
        execute function keep_note()`);
  }
}
