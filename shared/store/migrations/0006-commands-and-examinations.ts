import { Migration } from '@mikro-orm/migrations';

/** Supports verdicts that are computed from rows. Temporal receives only the ids of commands. */
export class CommandsAndExaminations extends Migration {
  override up(): void {
    this.addSql(`
      create table commands (
        verification_id uuid not null,
        request_id text not null,
        name text not null,
        data jsonb not null,
        created_at timestamptz(3) not null default now(),
        primary key (verification_id, request_id)
      )
    `);
    this.addSql(`
      alter table commands add constraint commands_verification_id_foreign
        foreign key (verification_id) references verifications (id) on delete cascade
    `);
    this.addSql(`create index commands_expiring on commands (created_at)`);

    this.addSql(`
      create table examinations (
        verification_id uuid not null,
        number smallint not null,
        checks jsonb null,
        created_at timestamptz(3) not null default now(),
        primary key (verification_id, number)
      )
    `);
    this.addSql(`
      alter table examinations add constraint examinations_verification_id_foreign
        foreign key (verification_id) references verifications (id) on delete cascade
    `);
  }
}
