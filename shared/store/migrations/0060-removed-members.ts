import { Migration } from '@mikro-orm/migrations';

/**
 * A member who is removed has no address any more. The product needs the right to empty the address for that. A trigger refuses another
 * address, with which somebody could take over the place of a member.
 */
export class RemovedMembers extends Migration {
  override up(): void {
    this.addSql('alter table members alter column email drop not null');
    this.addSql(`
      create function keep_member_email() returns trigger language plpgsql as $function$
      begin
        raise insufficient_privilege using message = 'the address of a member does not change';
      end $function$
    `);
    this.addSql(`
      create trigger members_keep_email before update of email on members
        for each row when (new.email is not null and new.email is distinct from old.email)
        execute function keep_member_email()
    `);
  }
}
