import { Migration } from '@mikro-orm/migrations';

/** The passkeys with which members sign in to the console. */
export class Passkeys extends Migration {
  override up(): void {
    this.addSql(`
      create table member_passkeys (
        id uuid not null,
        member_id uuid not null,
        org_id uuid not null,
        credential_id bytea not null,
        public_key bytea not null,
        counter bigint not null,
        name text not null,
        created_at timestamptz(3) not null default now(),
        last_used_at timestamptz(3) null,
        challenge_at timestamptz(3) null,
        blocked_at timestamptz(3) null,
        primary key (id)
      ) with (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)
    `);
    this.addSql(
      'alter table member_passkeys add constraint member_passkeys_credential_id_unique unique (credential_id)',
    );
    this.addSql('create index member_passkeys_of_member on member_passkeys (member_id, created_at)');
    this.addSql(
      'alter table member_passkeys add constraint member_passkeys_org_id_foreign foreign key (org_id) references organisations (id)',
    );
    this.addSql(
      'alter table member_passkeys add constraint member_passkeys_member_id_foreign foreign key (member_id) references members (id)',
    );
  }
}
