import { Migration } from '@mikro-orm/migrations';

/**
 * Moves the personal values out of the ledger. Then nobody needs the right to change a line, and an erasure touches no line. The
 * version before still writes the old column, so a trigger moves its values. The next release drops the trigger and the column.
 */
export class PersonalValues extends Migration {
  override up(): void {
    this.addSql(`
      create table ledger_personal (
        subject_id uuid not null,
        sequence int not null,
        org_id uuid not null,
        value bytea not null,
        primary key (subject_id, sequence)
      ) with (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)
    `);
    this.addSql(`
      alter table ledger_personal add constraint ledger_personal_org_id_foreign foreign key (org_id) references organisations (id)
    `);
    this.addSql(`
      create function move_ledger_personal() returns trigger language plpgsql as $function$
      begin
        insert into ledger_personal (subject_id, sequence, org_id, value)
          values (new.subject_id, new.sequence, new.org_id, new.personal);
        new.personal := null;
        return new;
      end $function$
    `);
    this.addSql(`
      create trigger ledger_personal_moves before insert on ledger
        for each row when (new.personal is not null) execute function move_ledger_personal()
    `);
    this.addSql(`
      insert into ledger_personal (subject_id, sequence, org_id, value)
        select subject_id, sequence, org_id, personal from ledger where personal is not null
        on conflict do nothing
    `);
    this.addSql('update ledger set personal = null where personal is not null');
  }
}
