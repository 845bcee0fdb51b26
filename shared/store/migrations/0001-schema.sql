-- The schema, for Postgres 14 and newer. Later changes are migrations of their own (docs/contributing.md#recipe-6-a-migration).

-- Organisations, and who acts for them. The row of the operators has an id of zeros and no name. No key and no other role belongs to it.
create table organisations (
  id uuid not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  erase_by_key boolean not null default false,
  decisions text not null default 'people',
  purpose text,
  contact text,
  privacy_url text,
  offers_other_way boolean not null default false,
  evidence_days smallint not null default 30,
  cover_portrait boolean not null default true,
  review_eyes smallint not null default 1,
  removals_warned_until timestamptz(3),
  colour text,
  return_url text,
  paused boolean not null default false,
  display_name text,
  languages text not null default 'nl,en',
  primary key (id),
  constraint organisations_colour check (colour ~ '^#[0-9a-f]{6}$'),
  constraint organisations_decisions check (decisions = 'people' or decisions = 'machine_may_reject' or decisions = 'machine_may_decide'),
  constraint organisations_evidence_days check (evidence_days >= 1 and evidence_days <= 365),
  constraint organisations_languages check (languages ~ '^(nl|en|nl[[:punct:]]en)$'),
  constraint organisations_operators check ((name = '') = (id = '00000000-0000-4000-8000-000000000000')),
  constraint organisations_review_eyes check (review_eyes >= 1 and review_eyes <= 2),
  constraint organisations_name_unique unique (name)
);

create table organisation_logos (
  org_id uuid not null,
  sha256 bytea not null,
  picture bytea not null,
  changed_at timestamptz(3) not null default now(),
  primary key (org_id)
);
create index organisation_logos_sha256_index on organisation_logos (sha256);

create table api_keys (
  id uuid not null,
  org_id uuid not null,
  environment text not null,
  name text,
  display text not null,
  hash bytea not null,
  grants text[] not null,
  rate_limit int,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  replaced_by uuid,
  last_used_at timestamptz(3),
  primary key (id),
  constraint api_keys_operators check (org_id <> '00000000-0000-4000-8000-000000000000'),
  constraint api_keys_org_id_foreign foreign key (org_id) references organisations (id),
  constraint api_keys_hash_unique unique (hash)
);
create index api_keys_of_organisation on api_keys (org_id, created_at);

-- Members sign in to the console.
create table members (
  id uuid not null,
  org_id uuid not null,
  email text,
  role text not null,
  password_hash text,
  totp_secret bytea,
  totp_step int,
  language text not null default 'nl',
  time_zone text,
  created_at timestamptz(3) not null default now(),
  joined_at timestamptz(3),
  disabled_at timestamptz(3),
  let_in_by uuid,
  primary key (id),
  constraint members_operators check ((role = 'operator') = (org_id = '00000000-0000-4000-8000-000000000000')),
  constraint members_org_id_foreign foreign key (org_id) references organisations (id),
  constraint members_email unique (email, org_id)
);
create index members_of_organisation on members (org_id, created_at);

-- A member who is removed has no address any more, and the product may empty it. Another address could take over the place of a member.
create function keep_member_email() returns trigger language plpgsql as $function$
begin
  raise insufficient_privilege using message = 'the address of a member does not change';
end $function$;
create trigger members_keep_email before update of email on members
  for each row when (new.email is not null and new.email is distinct from old.email)
  execute function keep_member_email();

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
  primary key (id),
  constraint member_sessions_member_id_foreign foreign key (member_id) references members (id),
  constraint member_sessions_org_id_foreign foreign key (org_id) references organisations (id),
  constraint member_sessions_token_hash_unique unique (token_hash)
);
create index member_sessions_of_member on member_sessions (member_id, created_at);
create index member_sessions_over on member_sessions (org_id, expires_at);

create table member_links (
  member_id uuid not null,
  org_id uuid not null,
  kind text not null,
  token_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  made_by uuid,
  primary key (member_id),
  constraint member_links_member_id_foreign foreign key (member_id) references members (id) on update cascade on delete cascade,
  constraint member_links_org_id_foreign foreign key (org_id) references organisations (id),
  constraint member_links_token_hash_unique unique (token_hash)
);

create table member_recovery_codes (
  member_id uuid not null,
  code_hash bytea not null,
  org_id uuid not null,
  primary key (member_id, code_hash),
  constraint member_recovery_codes_member_id_foreign foreign key (member_id) references members (id),
  constraint member_recovery_codes_org_id_foreign foreign key (org_id) references organisations (id)
);

create table member_passkeys (
  id uuid not null,
  member_id uuid not null,
  org_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  name text not null,
  created_at timestamptz(3) not null default now(),
  last_used_at timestamptz(3),
  challenge_at timestamptz(3),
  blocked_at timestamptz(3),
  primary key (id),
  constraint member_passkeys_member_id_foreign foreign key (member_id) references members (id),
  constraint member_passkeys_org_id_foreign foreign key (org_id) references organisations (id),
  constraint member_passkeys_credential_id_unique unique (credential_id)
);
create index member_passkeys_of_member on member_passkeys (member_id, created_at);

create table used_forms (
  session_id uuid not null,
  nonce bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (session_id, nonce),
  constraint used_forms_session_id_foreign foreign key (session_id) references member_sessions (id) on delete cascade
);

-- A verification, and what belongs to one. Encrypted bytes cannot be compressed, so Postgres stores pictures outside of their row.
create table verifications (
  id uuid not null,
  org_id uuid not null,
  environment text not null,
  status text not null,
  method text not null,
  reference text,
  scenario text,
  dossier_ref text not null,
  link_version smallint not null default 1,
  link_key_id text not null,
  link_expires_at timestamptz(3) not null,
  verdict jsonb,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  completed_by text,
  submitted_at timestamptz(3),
  pictures_taken smallint not null default 0,
  cancelled_at timestamptz(3),
  withdrawn_at timestamptz(3),
  erased_at timestamptz(3),
  maskings_begun smallint not null default 0,
  reopened_at timestamptz(3),
  relation_ended_at timestamptz(3),
  relation_continues boolean not null default false,
  run_due_since timestamptz(3),
  primary key (id),
  constraint verifications_org_id_foreign foreign key (org_id) references organisations (id),
  constraint verifications_dossier_ref_unique unique (dossier_ref)
);
create index verifications_abandoned on verifications (link_expires_at)
  where status <> 'completed';
create index verifications_by_status on verifications (org_id, environment, status, created_at desc, id desc);
create index verifications_charged on verifications (org_id, completed_at)
  where environment = 'live' and status = 'completed';
create index verifications_erased on verifications (erased_at)
  where erased_at is not null;
create index verifications_kept on verifications (coalesce(relation_ended_at, completed_at), id)
  where completed_at is not null and relation_continues is false;
create index verifications_newest on verifications (org_id, environment, created_at desc, id desc);
create index verifications_reference on verifications (org_id, environment, reference, created_at desc, id desc)
  where reference is not null;
create index verifications_run_due on verifications (run_due_since, id)
  where run_due_since is not null;
create index verifications_search on verifications (org_id, environment, method, (verdict ->> 'outcome'), created_at desc, id desc);
create index verifications_to_review on verifications (org_id, environment, completed_at, id)
  where status = 'completed' and erased_at is null and verdict ->> 'reviewed' = 'false'
    and (verdict ->> 'outcome' = 'review' or reopened_at is not null);
create index verifications_unsettled on verifications (submitted_at, id)
  where submitted_at is not null and status <> 'completed' and cancelled_at is null;

create table evidence (
  verification_id uuid not null,
  kind text not null,
  org_id uuid not null,
  environment text not null,
  picture bytea,
  sha256 bytea,
  taken_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null default (now() + interval '30 days'),
  look text,
  advised smallint not null default 0,
  examined_ahead jsonb,
  source text,
  primary key (verification_id, kind),
  constraint evidence_org_id_foreign foreign key (org_id) references organisations (id),
  constraint evidence_verification_id_foreign foreign key (verification_id) references verifications (id)
);
alter table evidence alter column picture set storage external;
create index evidence_over on evidence (expires_at);
create index evidence_unmasked on evidence (taken_at, verification_id)
  where picture is not null and kind in ('passport_page', 'card_front');

create table examinations (
  verification_id uuid not null,
  number smallint not null,
  checks jsonb,
  created_at timestamptz(3) not null default now(),
  engine jsonb,
  makings jsonb,
  primary key (verification_id, number),
  constraint examinations_verification_id_foreign foreign key (verification_id) references verifications (id) on delete cascade
);

create table commands (
  verification_id uuid not null,
  request_id text not null,
  name text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now(),
  key_id uuid,
  personal bytea,
  primary key (verification_id, request_id),
  constraint commands_verification_id_foreign foreign key (verification_id) references verifications (id) on delete cascade
);
create index commands_expiring on commands (created_at);

create table data_keys (
  verification_id uuid not null,
  org_id uuid not null,
  value bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (verification_id),
  constraint data_keys_org_id_foreign foreign key (org_id) references organisations (id)
);

create table review_claims (
  verification_id uuid not null,
  org_id uuid not null,
  environment text not null,
  member_id text not null,
  claimed_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (verification_id),
  constraint review_claims_org_id_foreign foreign key (org_id) references organisations (id),
  constraint review_claims_verification_id_foreign foreign key (verification_id) references verifications (id) on update cascade on delete cascade
);

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
  recorded_at timestamptz(3),
  primary key (id),
  constraint review_decisions_claimed check (claimed_at <= created_at and created_at < claimed_until),
  constraint review_decisions_number check (number >= 1 and number <= 3),
  constraint review_decisions_org_id_foreign foreign key (org_id) references organisations (id),
  constraint review_decisions_verification_id_foreign foreign key (verification_id) references verifications (id) on delete cascade,
  constraint review_decisions_in_order unique (verification_id, number),
  constraint review_decisions_once unique (verification_id, member_id)
);
create index review_decisions_concluded on review_decisions (org_id, environment, created_at)
  where concludes;
create index review_decisions_due on review_decisions (created_at, id)
  where recorded_at is null;

create table eid_contracts (
  org_id uuid not null,
  value bytea not null,
  certificate_ends_at timestamptz(3) not null,
  simulated boolean not null,
  issuers jsonb not null,
  issuers_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now(),
  primary key (org_id)
);

create table eid_transactions (
  id uuid not null,
  verification_id uuid not null,
  org_id uuid not null,
  environment text not null,
  status text not null,
  issuer_id text not null,
  language text not null,
  code_hash bytea,
  transaction_id text,
  redirect bytea,
  asks smallint not null default 0,
  next_ask_at timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  returned_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (id),
  constraint eid_transactions_org_id_foreign foreign key (org_id) references organisations (id),
  constraint eid_transactions_verification_id_foreign foreign key (verification_id) references verifications (id) on delete cascade
);
create unique index eid_transactions_code on eid_transactions (code_hash)
  where code_hash is not null;
create index eid_transactions_due on eid_transactions (next_ask_at, id)
  where status in ('wanted', 'asked', 'open');
create index eid_transactions_verification_id_created_at_index on eid_transactions (verification_id, created_at);

-- The ledger. Its lines are only added. Personal values of lines are apart, so an erasure touches no line.
create table ledger (
  subject_id uuid not null,
  sequence int not null,
  org_id uuid not null,
  type text not null,
  data jsonb not null,
  previous_hash bytea not null,
  hash bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (subject_id, sequence),
  constraint ledger_org_id_foreign foreign key (org_id) references organisations (id)
);
create index ledger_acts on ledger (org_id, created_at, subject_id, sequence)
  where data -> 'actor' ->> 'kind' in ('member', 'operator') or type = 'member.passkey_blocked';

create table ledger_personal (
  subject_id uuid not null,
  sequence int not null,
  org_id uuid not null,
  value bytea not null,
  primary key (subject_id, sequence),
  constraint ledger_personal_org_id_foreign foreign key (org_id) references organisations (id)
);

-- Webhooks.
create table events (
  id text not null,
  org_id uuid not null,
  environment text not null,
  type text not null,
  verification_id uuid,
  body bytea,
  created_at timestamptz(3) not null default now(),
  primary key (id),
  constraint events_org_id_foreign foreign key (org_id) references organisations (id),
  constraint events_verification_id_foreign foreign key (verification_id) references verifications (id) on delete set null,
  constraint events_verification_type unique (verification_id, type)
);
create index events_with_body on events (created_at)
  where body is not null;

create table webhook_endpoints (
  id uuid not null,
  org_id uuid not null,
  url text not null,
  description text,
  event_types text[] not null,
  environment text not null,
  active boolean not null default true,
  secret bytea not null,
  created_at timestamptz(3) not null default now(),
  previous_secret bytea,
  previous_secret_until timestamptz(3),
  consecutive_failures int not null default 0,
  failing_since timestamptz(3),
  last_success_at timestamptz(3),
  paused_at timestamptz(3),
  paused_by text,
  primary key (id),
  constraint webhook_endpoints_org_id_foreign foreign key (org_id) references organisations (id)
);
create index webhook_endpoints_active on webhook_endpoints (org_id)
  where active is true;
create index webhook_endpoints_failing on webhook_endpoints (failing_since)
  where active is true and failing_since is not null;
create index webhook_endpoints_newest on webhook_endpoints (org_id, created_at desc, id desc);
create index webhook_endpoints_overlap on webhook_endpoints (previous_secret_until)
  where previous_secret is not null;

create table deactivations (
  endpoint_id uuid not null,
  created_at timestamptz(3) not null default now(),
  primary key (endpoint_id),
  constraint deactivations_endpoint_id_foreign foreign key (endpoint_id) references webhook_endpoints (id) on update cascade on delete cascade
);

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
  next_attempt_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  held_at timestamptz(3),
  primary key (id),
  constraint deliveries_endpoint_id_foreign foreign key (endpoint_id) references webhook_endpoints (id),
  constraint deliveries_event_id_foreign foreign key (event_id) references events (id),
  constraint deliveries_org_id_foreign foreign key (org_id) references organisations (id)
);
create index deliveries_asked on deliveries (event_id)
  where trigger <> 'event';
create index deliveries_by_status on deliveries (endpoint_id, status, created_at desc, id desc);
create unique index deliveries_event_endpoint on deliveries (event_id, endpoint_id)
  where trigger = 'event';
create index deliveries_held on deliveries (endpoint_id, created_at, id)
  where held_at is not null and status in ('pending', 'retrying');
create index deliveries_newest on deliveries (endpoint_id, created_at desc, id desc);
create index deliveries_open on deliveries (next_attempt_at, id)
  where status in ('pending', 'retrying');

create table delivery_attempts (
  delivery_id uuid not null,
  number smallint not null,
  started_at timestamptz(3) not null default now(),
  duration_ms int,
  outcome text,
  reason text,
  response_status smallint,
  phase text,
  answer bytea,
  primary key (delivery_id, number),
  constraint delivery_attempts_number check (number >= 1 and number <= 6),
  constraint delivery_attempts_delivery_id_foreign foreign key (delivery_id) references deliveries (id)
);
create index delivery_attempts_with_answer on delivery_attempts (started_at)
  where answer is not null;

create table delivery_orders (
  id uuid not null,
  org_id uuid not null,
  endpoint_id uuid not null,
  kind text not null,
  member_id uuid,
  created_from timestamptz(3),
  created_before timestamptz(3),
  expected int not null,
  place_at timestamptz(3),
  place_id uuid,
  looked_at int not null default 0,
  sent int not null default 0,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  more_left boolean not null default false,
  primary key (id),
  constraint delivery_orders_endpoint_id_foreign foreign key (endpoint_id) references webhook_endpoints (id) on delete cascade,
  constraint delivery_orders_org_id_foreign foreign key (org_id) references organisations (id)
);
create index delivery_orders_newest_of_kind on delivery_orders (endpoint_id, org_id, kind, created_at desc, id desc);
create unique index delivery_orders_open on delivery_orders (endpoint_id, kind)
  where ended_at is null;

-- Claims of requests with their sealed answers, and the log of requests, which has a table for each day.
create table requests (
  id uuid not null,
  org_id uuid not null,
  environment text not null,
  operation text not null,
  idempotency_key text,
  fingerprint bytea not null,
  input jsonb,
  status text not null default 'claimed',
  answer_status smallint,
  answer bytea,
  created_at timestamptz(3) not null default now(),
  key_id uuid,
  verification_id uuid,
  primary key (id),
  constraint requests_org_id_foreign foreign key (org_id) references organisations (id)
);
create index requests_about on requests (verification_id)
  where verification_id is not null;
create index requests_claimed on requests (created_at)
  where status = 'claimed';
create index requests_expiring on requests (created_at)
  where idempotency_key is not null or answer is not null or status = 'claimed';
create unique index requests_idempotency_key on requests (org_id, environment, idempotency_key)
  where idempotency_key is not null;

create table request_log (
  id bigserial,
  request_id text not null,
  org_id uuid not null,
  environment text not null,
  key_id uuid not null,
  method text not null,
  path text not null,
  status smallint not null,
  code text,
  duration_ms int not null,
  created_at timestamptz(3) not null
) partition by range (created_at);
create index request_log_expiring on request_log (created_at);
create index request_log_newest on request_log (org_id, created_at desc, id desc);

create table request_log_default partition of request_log default;
alter table request_log_default add primary key (id);

-- These functions run with the rights of the role that migrates. So the role of the API and the worker need not be allowed to create or
-- drop tables.
create function make_request_log_days() returns void language plpgsql security definer as $function$
declare
  day date;
  name text;
begin
  for day in select (now() at time zone 'UTC')::date + ahead from generate_series(0, 14) as ahead loop
    name := 'request_log_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null;
    begin
      execute format('create table %I (like request_log_default including all)', name);
      execute format('alter table request_log attach partition %I for values from (%L) to (%L)', name,
        day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
    exception
      -- Another partition covers the day, or the default partition has lines of the day.
      when invalid_object_definition or check_violation then null;
    end;
  end loop;
end $function$;

create function drop_request_log_days(before timestamptz) returns void language plpgsql security definer as $function$
declare
  part regclass;
begin
  for part in
    select child.oid from pg_inherits join pg_class as child on child.oid = inhrelid
    where inhparent = 'request_log'::regclass
      and (regexp_match(pg_get_expr(relpartbound, child.oid), 'TO .''(.+)''.$'))[1]::timestamptz <= before
  loop
    execute format('drop table %s', part);
  end loop;
end $function$;

do $set$
declare
  made regprocedure;
begin
  foreach made in array array['make_request_log_days()'::regprocedure, 'drop_request_log_days(timestamptz)'::regprocedure] loop
    execute format('alter function %s set search_path = %I, pg_temp', made, current_schema());
    -- Whoever wants to write the request log waits behind the lock that these functions wait for.
    execute format('alter function %s set lock_timeout = %L', made, '500ms');
    execute format('revoke execute on function %s from public', made);
  end loop;
end $set$;

-- The leader of the workers, what housekeeping did last, and the usage of verifications that it removed.
create table leases (
  name text not null,
  holder uuid not null,
  expires_at timestamptz(3) not null,
  primary key (name)
);

create table purges (
  what text not null,
  done_at timestamptz(3) not null,
  primary key (what)
);

create table removed_usage (
  org_id uuid not null,
  month timestamptz(3) not null,
  verifications int not null,
  primary key (org_id, month),
  constraint removed_usage_org_id_foreign foreign key (org_id) references organisations (id)
);

-- By default, Postgres vacuums a table when a fifth of its rows are dead. Of a hundred million rows that is too late, so every table is
-- vacuumed and analysed earlier. Free space in a page makes updates cheaper whose columns are in no index. A table that a later
-- migration creates needs the same settings. docs/choices/large-tables.md has the figures.
do $vacuum$
declare
  made regclass;
begin
  for made in
    select oid from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and not relispartition
  loop
    execute format(
      'alter table %s set (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)', made);
  end loop;
end $vacuum$;
alter table api_keys set (fillfactor = 85);
alter table verifications set (fillfactor = 85);
alter table webhook_endpoints set (fillfactor = 85);

select make_request_log_days();
