import { Migration } from '@mikro-orm/migrations';

export class Foundation extends Migration {
  override up(): void {
    this.addSql(`
      create table organisations (
        id uuid not null,
        name text not null,
        created_at timestamptz(3) not null default now(),
        primary key (id)
      )
    `);
    this.addSql(`alter table organisations add constraint organisations_name_unique unique (name)`);

    this.addSql(`
      create table api_keys (
        id uuid not null,
        org_id uuid not null,
        environment text not null,
        name text null,
        display text not null,
        hash bytea not null,
        grants text[] not null,
        rate_limit int null,
        created_at timestamptz(3) not null default now(),
        expires_at timestamptz(3) null,
        revoked_at timestamptz(3) null,
        primary key (id)
      )
    `);
    this.addSql(`alter table api_keys add constraint api_keys_hash_unique unique (hash)`);
    this.addSql(`
      alter table api_keys add constraint api_keys_org_id_foreign foreign key (org_id) references organisations (id)
    `);

    this.addSql(`
      create table requests (
        id uuid not null,
        org_id uuid not null,
        environment text not null,
        operation text not null,
        idempotency_key text null,
        fingerprint bytea not null,
        input jsonb null,
        status text not null default 'claimed',
        answer_status smallint null,
        answer bytea null,
        created_at timestamptz(3) not null default now(),
        primary key (id)
      )
    `);
    this.addSql(`
      create unique index requests_idempotency_key on requests (org_id, environment, idempotency_key) where idempotency_key is not null
    `);
    this.addSql(`
      alter table requests add constraint requests_org_id_foreign foreign key (org_id) references organisations (id)
    `);

    this.addSql(`
      create table verifications (
        id uuid not null,
        org_id uuid not null,
        environment text not null,
        status text not null,
        method text not null,
        reference text null,
        scenario text null,
        dossier_ref text not null,
        link_version smallint not null default 1,
        link_key_id text not null,
        link_expires_at timestamptz(3) not null,
        verdict jsonb null,
        created_at timestamptz(3) not null default now(),
        completed_at timestamptz(3) null,
        completed_by text null,
        primary key (id)
      )
    `);
    this.addSql(`
      alter table verifications add constraint verifications_dossier_ref_unique unique (dossier_ref)
    `);
    this.addSql(`
      create index verifications_newest on verifications (org_id, environment, created_at desc, id desc)
    `);
    this.addSql(`
      create index verifications_open on verifications (org_id, environment, status, created_at desc, id desc) where (status <> 'completed'::text)
    `);
    this.addSql(`
      create index verifications_reference on verifications (org_id, environment, reference, created_at desc, id desc) where (reference is not null)
    `);
    this.addSql(`
      alter table verifications add constraint verifications_org_id_foreign foreign key (org_id) references organisations (id)
    `);

    this.addSql(`
      create table webhook_endpoints (
        id uuid not null,
        org_id uuid not null,
        url text not null,
        description text null,
        event_types text[] not null,
        environment text not null,
        active boolean not null default true,
        secret bytea not null,
        created_at timestamptz(3) not null default now(),
        primary key (id)
      )
    `);
    this.addSql(`
      create index webhook_endpoints_newest on webhook_endpoints (org_id, created_at desc, id desc)
    `);
    this.addSql(`
      alter table webhook_endpoints add constraint webhook_endpoints_org_id_foreign foreign key (org_id) references organisations (id)
    `);

    this.addSql(`
      create table events (
        id text not null,
        org_id uuid not null,
        environment text not null,
        type text not null,
        verification_id uuid null,
        body bytea not null,
        created_at timestamptz(3) not null default now(),
        primary key (id)
      )
    `);
    this.addSql(`
      alter table events add constraint events_verification_type unique (verification_id, type)
    `);
    this.addSql(`
      alter table events add constraint events_org_id_foreign foreign key (org_id) references organisations (id)
    `);
    this.addSql(`
      alter table events add constraint events_verification_id_foreign foreign key (verification_id) references verifications (id) on delete set null
    `);

    this.addSql(`
      create table deliveries (
        id uuid not null,
        org_id uuid not null,
        environment text not null,
        event_id text not null,
        endpoint_id uuid not null,
        trigger text not null default 'event',
        status text not null default 'pending',
        attempts_allowed smallint not null,
        waited_ms int not null default 0,
        next_attempt_at timestamptz(3) null,
        created_at timestamptz(3) not null default now(),
        primary key (id)
      )
    `);
    this.addSql(`
      create index deliveries_due on deliveries (next_attempt_at) where (status = ANY (ARRAY['pending'::text, 'retrying'::text]))
    `);
    this.addSql(`
      create index deliveries_newest on deliveries (endpoint_id, created_at desc, id desc)
    `);
    this.addSql(`
      create unique index deliveries_event_endpoint on deliveries (event_id, endpoint_id) where trigger = 'event'
    `);
    this.addSql(`
      alter table deliveries add constraint deliveries_org_id_foreign foreign key (org_id) references organisations (id)
    `);
    this.addSql(`
      alter table deliveries add constraint deliveries_event_id_foreign foreign key (event_id) references events (id)
    `);
    this.addSql(`
      alter table deliveries add constraint deliveries_endpoint_id_foreign foreign key (endpoint_id) references webhook_endpoints (id)
    `);

    this.addSql(`
      create table delivery_attempts (
        delivery_id uuid not null,
        number smallint not null,
        started_at timestamptz(3) not null default now(),
        duration_ms int null,
        outcome text null,
        reason text null,
        response_status smallint null,
        response_excerpt bytea null,
        primary key (delivery_id, number)
      )
    `);
    this.addSql(`
      alter table delivery_attempts add constraint delivery_attempts_number check (number >= 1 and number <= 6)
    `);
    this.addSql(`
      alter table delivery_attempts add constraint delivery_attempts_delivery_id_foreign foreign key (delivery_id) references deliveries (id)
    `);

    this.addSql(`
      create table ledger (
        subject_id uuid not null,
        sequence int not null,
        org_id uuid not null,
        type text not null,
        data jsonb not null,
        previous_hash bytea not null,
        hash bytea not null,
        personal bytea null,
        created_at timestamptz(3) not null default now(),
        primary key (subject_id, sequence)
      )
    `);
    this.addSql(`
      alter table ledger add constraint ledger_org_id_foreign foreign key (org_id) references organisations (id)
    `);
  }
}
