import { Migration } from '@mikro-orm/migrations';

/** The visits of persons to their banks. */
export class EidTransactions extends Migration {
  override up(): void {
    this.addSql(`
      create table eid_transactions (
        id uuid not null,
        verification_id uuid not null,
        org_id uuid not null,
        environment text not null,
        status text not null,
        issuer_id text not null,
        language text not null,
        code_hash bytea null,
        transaction_id text null,
        redirect bytea null,
        asks smallint not null default 0,
        next_ask_at timestamptz(3) not null,
        ends_at timestamptz(3) not null,
        returned_at timestamptz(3) null,
        created_at timestamptz(3) not null default now(),
        primary key (id)
      ) with (${vacuumed})
    `);
    this.addSql(`
      alter table eid_transactions
        add constraint eid_transactions_verification_id_foreign
          foreign key (verification_id) references verifications (id) on delete cascade,
        add constraint eid_transactions_org_id_foreign foreign key (org_id) references organisations (id)
    `);
    this.addSql(
      'create index eid_transactions_verification_id_created_at_index on eid_transactions (verification_id, created_at)',
    );
    this.addSql(
      'create unique index eid_transactions_code on eid_transactions (code_hash) where (code_hash is not null)',
    );
    this.addSql(`
      create index eid_transactions_due on eid_transactions (next_ask_at, id)
        where (status = any (array['wanted'::text, 'asked'::text, 'open'::text]))
    `);
  }
}

/** As every table: old rows leave soon after their change. */
const vacuumed = `
  autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
  autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000`;
