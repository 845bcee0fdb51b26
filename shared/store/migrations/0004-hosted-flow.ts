import { Migration } from '@mikro-orm/migrations';

/** What a person hands in on the hosted page. Sealed bytes do not get smaller, so nobody tries. */
export class HostedFlow extends Migration {
  override up(): void {
    // Readers wait while columns are added, so the lock is not waited for: whoever migrates tries again.
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
