import { Migration } from '@mikro-orm/migrations';

const vacuum = `with (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)`;

/** The members of organisations, who sign in to the console, and their sessions, links and recovery codes. */
export class Console extends Migration {
  override up(): void {
    this.addSql(`
      create table members (
        id uuid not null,
        org_id uuid not null,
        email text not null,
        role text not null,
        password_hash text null,
        totp_secret bytea null,
        totp_step int null,
        language text not null default 'nl',
        time_zone text null,
        created_at timestamptz(3) not null default now(),
        joined_at timestamptz(3) null,
        disabled_at timestamptz(3) null,
        primary key (id)
      ) ${vacuum}
    `);
    this.addSql('alter table members add constraint members_email unique (email, org_id)');
    this.addSql('create index members_of_organisation on members (org_id, created_at)');
    this.addSql(`
      create table member_sessions (
        id uuid not null,
        member_id uuid not null,
        org_id uuid not null,
        token_hash bytea not null,
        is_full boolean not null,
        user_agent text not null,
        address text not null,
        created_at timestamptz(3) not null default now(),
        last_seen_at timestamptz(3) not null,
        expires_at timestamptz(3) not null,
        primary key (id)
      ) ${vacuum}
    `);
    this.addSql(
      'alter table member_sessions add constraint member_sessions_token_hash_unique unique (token_hash)',
    );
    this.addSql('create index member_sessions_over on member_sessions (org_id, expires_at)');
    this.addSql('create index member_sessions_of_member on member_sessions (member_id, created_at)');
    this.addSql(`
      create table member_links (
        member_id uuid not null,
        org_id uuid not null,
        kind text not null,
        token_hash bytea not null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) not null,
        primary key (member_id)
      ) ${vacuum}
    `);
    this.addSql('alter table member_links add constraint member_links_token_hash_unique unique (token_hash)');
    this.addSql(`
      create table member_recovery_codes (
        member_id uuid not null,
        code_hash bytea not null,
        org_id uuid not null,
        primary key (member_id, code_hash)
      ) ${vacuum}
    `);
    this.addSql(`
      create table used_forms (
        session_id uuid not null,
        nonce bytea not null,
        created_at timestamptz(3) not null default now(),
        primary key (session_id, nonce)
      ) ${vacuum}
    `);
    this.addSql(`
      alter table used_forms add constraint used_forms_session_id_foreign foreign key (session_id)
        references member_sessions (id) on delete cascade
    `);
    const tables = ['members', 'member_sessions', 'member_links', 'member_recovery_codes'];
    for (const table of tables)
      this.addSql(
        `alter table ${table} add constraint ${table}_org_id_foreign foreign key (org_id) references organisations (id)`,
      );
    for (const table of ['member_sessions', 'member_links', 'member_recovery_codes'])
      this.addSql(
        `alter table ${table} add constraint ${table}_member_id_foreign foreign key (member_id) references members (id)
          ${table === 'member_links' ? 'on update cascade on delete cascade' : ''}`,
      );
  }
}
