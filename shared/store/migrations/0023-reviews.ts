import { Migration } from '@mikro-orm/migrations';

/**
 * The review of verdicts by members of an organisation: who works on which verification, and what they decided. A rejection by a machine
 * can be reopened. An organisation chooses how many members must agree.
 */
export class Reviews extends Migration {
  override up(): void {
    this.addSql(`
      create table review_claims (
        verification_id uuid not null,
        org_id uuid not null,
        environment text not null,
        member_id text not null,
        claimed_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        primary key (verification_id)
      ) with (${vacuumed})
    `);
    this.addSql(`
      create table review_decisions (
        id uuid not null,
        verification_id uuid not null,
        org_id uuid not null,
        environment text not null,
        member_id text not null,
        number smallint not null,
        eyes smallint not null,
        outcome text not null,
        reason_ids text[] not null,
        concludes boolean not null,
        queued_at timestamptz(3) not null,
        claimed_at timestamptz(3) not null,
        claimed_until timestamptz(3) not null,
        created_at timestamptz(3) not null default now(),
        recorded_at timestamptz(3) null,
        primary key (id),
        constraint review_decisions_number check (number >= 1 and number <= 3),
        constraint review_decisions_claimed check (claimed_at <= created_at and created_at < claimed_until)
      ) with (${vacuumed})
    `);
    this.addSql(`
      alter table review_claims add constraint review_claims_verification_id_foreign
        foreign key (verification_id) references verifications (id) on update cascade on delete cascade
    `);
    this.addSql(`
      alter table review_decisions add constraint review_decisions_verification_id_foreign
        foreign key (verification_id) references verifications (id) on delete cascade
    `);
    for (const table of ['review_claims', 'review_decisions'])
      this.addSql(`
        alter table ${table} add constraint ${table}_org_id_foreign foreign key (org_id) references organisations (id)
      `);
    this.addSql(
      'alter table review_decisions add constraint review_decisions_once unique (verification_id, member_id)',
    );
    this.addSql(
      'alter table review_decisions add constraint review_decisions_in_order unique (verification_id, number)',
    );
    this.addSql(
      'create index review_decisions_due on review_decisions (created_at, id) where (recorded_at is null)',
    );
    this.addSql(
      'create index review_decisions_concluded on review_decisions (org_id, environment, created_at) where concludes',
    );
    this.addSql('alter table verifications add column reopened_at timestamptz(3) null');
    this.addSql('alter table organisations add column review_eyes smallint not null default 1');
    this.addSql(`
      alter table organisations add constraint organisations_review_eyes
        check (review_eyes >= 1 and review_eyes <= 2) not valid
    `);
    this.addSql('alter table organisations validate constraint organisations_review_eyes');
  }
}

const vacuumed = `
  autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000`;
