import { Migration } from '@mikro-orm/migrations';

/** Supports the hosted page. Encrypted bytes cannot be compressed, so the storage of the column `picture` is external. */
export class HostedFlow extends Migration {
  override up(): void {
    // While this migration waits for its lock, all readers wait too. So it fails after 5 s, and the operator runs it again.
    this.addSql(`set local lock_timeout = '5s'`);
    this.addSql(`
      alter table verifications
        add column submitted_at timestamptz(3) null,
        add column pictures_taken smallint not null default 0
    `);
    this.addSql(`
      create table evidence (
        verification_id uuid not null constraint evidence_verification_id_foreign references verifications (id),
        kind text not null,
        org_id uuid not null constraint evidence_org_id_foreign references organisations (id),
        environment text not null,
        picture bytea null,
        sha256 bytea null,
        taken_at timestamptz(3) not null default now(),
        primary key (verification_id, kind)
      )
    `);
    this.addSql(`alter table evidence alter column picture set storage external`);
    this.addSql(`create index evidence_expiring on evidence (taken_at)`);
  }
}
