import { sql } from 'kysely';
import type { Rows } from '#test/support/rows/rows.ts';

/** Tables that stay small, and why. A statement may read all of one. It must not read all of any other table. */
export const smallTables: Record<string, string> = {
  organisations: 'one for each partner',
  organisation_logos: 'one for each partner',
  eid_contracts: 'one for each partner',
  leases: 'one for each task of a leader',
  purges: 'one for each kind of data',
  migrations: 'one for each change of the schema',
};

/** The rows that the queries of the test are about. */
export type Filled = Awaited<ReturnType<typeof fillTables>>;

const ids = {
  orgId: '00000000-0000-4000-8000-000000000001',
  endpointId: '00000000-0000-4000-8000-000000000002',
  memberId: '00000000-0000-4000-8000-000000000003',
  sessionId: '00000000-0000-4000-8000-000000000004',
  passkeyId: '00000000-0000-4000-8000-000000000005',
  orderId: '00000000-0000-4000-8000-000000000006',
};

/**
 * Fills all tables. One organisation and its endpoint have most of the rows. The rows that a query wants lie behind tens of thousands
 * of others wherever a missing index would let Postgres read those.
 */
export async function fillTables(rows: Rows) {
  // Looking for the row of each foreign key takes a third of the time, and compiling the statements gains nothing.
  await rows`set session_replication_role = replica`;
  await rows`set jit = off`;
  await rows`
    insert into organisations (id, name)
    select case n when 1 then ${ids.orgId}::uuid else gen_random_uuid() end, 'organisation ' || n
    from generate_series(1, 500) as n`;
  await rows`
    insert into api_keys (id, org_id, environment, display, hash, grants)
    select gen_random_uuid(), id, 'sandbox', 'svc_test_…', sha256(random()::text::bytea), '{verify:read}'
    from organisations, generate_series(1, 40)`;
  await fillVerifications(rows);
  await rows`insert into income_checks (verification_id, org_id) select id, org_id from verifications where method = 'income'`;
  await fillRequests(rows);
  await fillEndpoints(rows);
  await fillDeliveries(rows);
  await rows`
    insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
    select id, n, org_id,
      case when n = 1 then 'verification.created' when status = 'completed' then 'verification.completed' else 'verification.started' end,
      '{}', '\\x00', '\\x00', created_at
    from verifications, generate_series(1, 2) as n`;
  await rows`
    insert into ledger_personal (subject_id, sequence, org_id, value)
    select id, n, org_id, '\\x0011223344' from verifications, generate_series(1, 2) as n`;
  await rows`
    insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
    select gen_random_uuid(), 1, ${ids.orgId}, 'account.signed_in', '{"actor": {"kind": "member"}}', '\\x00', '\\x00',
      now() - n * interval '1 minute'
    from generate_series(1, 20000) as n`;
  await rows`insert into data_keys (verification_id, org_id, value) select id, org_id, '\\x0011223344' from verifications`;
  await rows`
    insert into evidence (verification_id, kind, org_id, environment, picture, sha256, expires_at)
    select id, kind, org_id, environment, '\\x0011223344', '\\x00', created_at
    from verifications, unnest(array['selfie', 'document_front']) as kind where status = 'completed'`;
  await fillPapers(rows);
  await rows`
    insert into commands (verification_id, request_id, name, data, created_at)
    select id, 'req_' || id, 'submit', '{}', created_at from verifications`;
  await fillReviews(rows);
  await rows`insert into examinations (verification_id, number) select id, 1 from verifications`;
  await rows`
    insert into request_log (request_id, org_id, environment, key_id, method, path, status, duration_ms, created_at)
    select 'req_' || n, ${ids.orgId}, 'sandbox', ${ids.orgId}, 'GET', '/v1/verifications', 200, 5,
      now() - n * interval '1 minute'
    from generate_series(1, 50000) as n`;
  await fillMembers(rows);
  await fillVisits(rows);
  await fillOrders(rows);
  await fillSmallTables(rows);
  await rows`vacuum analyze`;
  return sample(rows);
}

/** Each income check has one document, and the hashes of it and of its words. */
async function fillPapers(rows: Rows): Promise<void> {
  await rows`
    insert into evidence (verification_id, kind, org_id, environment, picture, sha256, expires_at)
    select id, 'papers', org_id, environment, '\\x0011223344', '\\x00', created_at
    from verifications where method = 'income'`;
  await rows`
    insert into income_files (id, verification_id, kind, org_id, environment, sha256, size)
    select gen_random_uuid(), id, 'papers', org_id, environment, '\\x00', 1 from verifications where method = 'income'`;
  await rows`
    insert into income_hashes (verification_id, sha256, org_id, environment)
    select id, sha256((id::text || n)::bytea), org_id, environment
    from verifications, generate_series(1, 2) as n where method = 'income'`;
}

/** Each organisation has 20 members, each with a session, a link and recovery codes. */
async function fillMembers(rows: Rows): Promise<void> {
  await rows`
    insert into members (id, org_id, email, role, password_hash, joined_at)
    select case when n = 1 and id = ${ids.orgId} then ${ids.memberId}::uuid else gen_random_uuid() end, id,
      'member' || n || '@' || name || '.example', case n when 1 then 'owner' else 'reviewer' end, 'scrypt', now()
    from organisations, generate_series(1, 20) as n`;
  await rows`
    insert into member_sessions
      (id, member_id, org_id, token_hash, is_full, user_agent, address, last_seen_at, expires_at)
    select case id when ${ids.memberId} then ${ids.sessionId}::uuid else gen_random_uuid() end,
      id, org_id, sha256(id::text::bytea), true, 'a browser', '192.0.2.1', now(), now() from members`;
  await rows`
    insert into member_links (member_id, org_id, kind, token_hash, expires_at)
    select id, org_id, 'reset', sha256(id::text::bytea), now() from members`;
  await rows`
    insert into member_recovery_codes (member_id, org_id, code_hash)
    select id, org_id, sha256((id::text || n)::bytea) from members, generate_series(1, 10) as n`;
  await rows`
    insert into member_passkeys (id, member_id, org_id, credential_id, public_key, counter, name)
    select case id when ${ids.memberId} then ${ids.passkeyId}::uuid else gen_random_uuid() end,
      id, org_id, sha256(id::text::bytea), '', 0, 'phone' from members`;
  await rows`
    insert into used_forms (session_id, nonce)
    select id, sha256((id::text || n)::bytea) from member_sessions, generate_series(1, ${formsOfEach}::int) as n`;
}

/** A form of the console that a session sent before is refused. So a session keeps all that it has sent. */
const formsOfEach = 3;

/**
 * Every third verification has three visits to banks. All are over, but for few of the pending ones: their persons are at the bank, or the
 * run that asks for them was lost.
 */
async function fillVisits(rows: Rows): Promise<void> {
  await rows`
    insert into eid_transactions
      (id, verification_id, org_id, environment, status, issuer_id, language, code_hash, transaction_id, next_ask_at, ends_at, created_at)
    select gen_random_uuid(), id, org_id, environment,
      case when place % 500 = 0 and status = 'pending' and n = 3 then 'open' else 'expired' end,
      'BANKNL2A', 'nl', sha256((id::text || n)::bytea), 'transaction ' || place || ' ' || n,
      created_at + n * interval '1 minute', created_at + n * interval '5 minutes', created_at + n * interval '1 minute'
    from (select *, row_number() over (order by created_at) as place from verifications) as placed,
      generate_series(1, 3) as n
    where place % 3 = 0 or place % 500 = 0`;
  await rows`
    update verifications set status = 'in_progress', submitted_at = null
    where id in (select verification_id from eid_transactions where status = 'open')`;
}

/**
 * The endpoint has 2,000 orders of each kind, of which one is open. They lie between those of others, few of which are open. All inactive
 * endpoints were deactivated just now.
 */
async function fillOrders(rows: Rows): Promise<void> {
  await rows`
    insert into delivery_orders (id, org_id, endpoint_id, kind, expected, created_at, ended_at)
    select case when n = 1 and kind = 'resend' and endpoint.id = ${ids.endpointId} then ${ids.orderId}::uuid else gen_random_uuid() end,
      org_id, endpoint.id, kind, 1, now() - n * interval '1 hour',
      case when n > 1 or (endpoint.id <> ${ids.endpointId} and created_at > now() - interval '39900 minutes') then now() end
    from webhook_endpoints as endpoint, unnest(array['resend', 'resume']) as kind,
      generate_series(1, case endpoint.id when ${ids.endpointId} then 2000 else 2 end) as n
    where endpoint.active
    order by hashtext(endpoint.id::text || kind || n)`;
  await rows`insert into deactivations (endpoint_id) select id from webhook_endpoints where not active`;
}

async function fillSmallTables(rows: Rows): Promise<void> {
  await rows`
    insert into organisation_logos (org_id, sha256, picture) select id, sha256(id::text::bytea), '\\x00' from organisations`;
  await rows`
    insert into eid_contracts (org_id, value, certificate_ends_at, simulated, issuers)
    select id, '\\x0011223344', now() + interval '1 year', false, '[]' from organisations`;
  await rows`
    insert into removed_usage (org_id, month, verifications)
    select id, date_trunc('month', now()) - n * interval '1 month', 1 from organisations, generate_series(1, 24) as n`;
  await rows`insert into purges (what, done_at) values ('claims', now())`;
  await rows`insert into leases (name, holder, expires_at) values ('sweep', gen_random_uuid(), now())`;
}

/** The organisation has 20,000 pending verifications, which are newer than its 20,000 completed ones. */
async function fillVerifications(rows: Rows): Promise<void> {
  await rows`
    insert into verifications
      (id, org_id, environment, status, method, reference, scenario, dossier_ref, link_key_id, link_expires_at, verdict,
       created_at, completed_at, submitted_at)
    select gen_random_uuid(),
      case when n <= 40000 then ${ids.orgId} else (array(select id from organisations))[1 + n % 500] end,
      case when n <= 40000 then 'sandbox' else 'live' end,
      case when n <= 20000 then 'pending' else 'completed' end,
      case n % 2 when 0 then 'document_only' else 'income' end, 'reference ' || n / 2, 'approved', 'dos_' || n, '11223344', now() - n * interval '1 minute',
      case when n > 20000 then '{"outcome": "approved", "checks": []}'::jsonb end,
      now() - n * interval '1 minute',
      case when n > 20000 then now() - n * interval '1 minute' end,
      case when n % 4 = 0 then now() - n * interval '1 minute' end
    from generate_series(1, 60000) as n`;
}

/**
 * Of the completed verifications, one in 20 waits for a person. Of the others, half were decided by a person, few within the last week, and
 * a few decisions wait to be carried out.
 */
async function fillReviews(rows: Rows): Promise<void> {
  await rows`
    update verifications set verdict = jsonb_build_object('outcome', case when waits then 'review' else 'approved' end,
      'assuranceLevel', 'low', 'reasonIds', '[]'::jsonb, 'checks', '[]'::jsonb, 'reviewed', not waits and n % 2 = 0)
    from (select id as wanted, n, n % 20 = 0 as waits
      from (select id, row_number() over (order by completed_at) as n from verifications where status = 'completed') as each
    ) as numbered where id = wanted`;
  await rows`
    insert into review_decisions (id, verification_id, org_id, environment, member_id, number, eyes, outcome, reason_ids, concludes,
      queued_at, claimed_at, claimed_until, created_at, recorded_at)
    select gen_random_uuid(), id, org_id, environment, 'member', 1, 1, 'approved', '{reviewer_accepts_document}', true, completed_at,
      completed_at, completed_at + interval '20 minutes', completed_at + interval '10 minutes',
      case when row_number() over (order by id) > 20 then completed_at + interval '10 minutes' end
    from verifications where verdict ->> 'reviewed' = 'true'`;
  await rows`
    insert into review_claims (verification_id, org_id, environment, member_id, expires_at)
    select id, org_id, environment, 'member', now() + interval '5 minutes' from verifications
    where verdict ->> 'outcome' = 'review'`;
}

/** The id begins with the time, as a UUIDv7 does. */
const requestId = sql`(lpad(to_hex((extract(epoch from now() - n * interval '2 seconds') * 1000)::bigint), 12, '0')
  || substr(replace(gen_random_uuid()::text, '-', ''), 13))::uuid`;

/** Few of the claims of the last day wait for their answer. Older requests have lost key and answer, except the oldest. */
async function fillRequests(rows: Rows): Promise<void> {
  await rows`
    insert into requests
      (id, org_id, environment, operation, idempotency_key, fingerprint, input, status, answer_status, answer, created_at)
    select ${requestId}, ${ids.orgId}, 'sandbox', 'create_verification',
      case when n <= 30000 or n > 59900 then 'key ' || n end, '\\x00', null, 'answered', 201,
      case when n <= 30000 or n > 59900 then '\\x0011223344'::bytea end, now() - n * interval '2 seconds'
    from generate_series(1, 60000) as n`;
  await rows`
    insert into requests (id, org_id, environment, operation, idempotency_key, fingerprint, input, created_at)
    select gen_random_uuid(), ${ids.orgId}, 'sandbox', 'create_verification', 'open ' || n, '\\x00', '{}',
      now() - n * interval '5 minutes'
    from generate_series(1, 50) as n`;
}

/** The organisation has 20,000 endpoints. All but 20 are inactive. */
async function fillEndpoints(rows: Rows): Promise<void> {
  await rows`
    insert into webhook_endpoints
      (id, org_id, url, event_types, environment, active, secret, created_at, consecutive_failures, failing_since)
    select case n when 1 then ${ids.endpointId}::uuid else gen_random_uuid() end,
      case when n <= 20000 then ${ids.orgId} else (array(select id from organisations))[1 + n % 500] end,
      'https://hooks.example/' || n, '{verification.completed}', 'all', n <= 20 or n > 20000, '\\x0011223344',
      now() - n * interval '1 minute', case when n % 1000 = 0 then 9 else 0 end,
      case when n % 1000 = 0 then now() - interval '2 days' end
    from generate_series(1, 40000) as n`;
}

/**
 * The endpoint has 30,000 pending deliveries, which are newer than its other deliveries. Of them 20,000 wait in its queue. Few deliveries are resent ones. All other
 * deliveries, to the second endpoint of the organisation, are settled.
 */
async function fillDeliveries(rows: Rows): Promise<void> {
  await rows`
    insert into events (id, org_id, environment, type, verification_id, body, created_at)
    select 'evt_' || id, org_id, environment, 'verification.completed', id, '{}'::text::bytea, created_at from verifications`;
  await rows`
    insert into deliveries
      (id, org_id, environment, event_id, endpoint_id, trigger, status, attempts_allowed, queued_at, next_attempt_at, created_at)
    select gen_random_uuid(), ${ids.orgId}, event.environment, event.id,
      case when n <= 40000 then ${ids.endpointId} else second.id end,
      case when n % 1000 = 0 then 'resend' else 'event' end,
      case when n <= 30000 then 'pending' when n <= 30050 then 'retrying' else 'delivered' end, 6,
      case when n between 5001 and 25000 then now() end,
      case when n between 5001 and 25000 then timestamptz '9000-01-01'
        when n <= 30050 then now() + (15000 - n) * interval '1 minute' end, event.created_at
    from (select *, row_number() over (order by created_at desc) as n from events) as event,
      (select id from webhook_endpoints where org_id = ${ids.orgId} order by created_at desc offset 1 limit 1) as second`;
  await rows`
    insert into delivery_attempts
      (delivery_id, number, started_at, duration_ms, outcome, response_status, answer, heads)
    select id, n, created_at + n * interval '1 second', 5, case status when 'delivered' then 'delivered' else 'failed' end, 200, '\\x00', '\\x00'
    from deliveries, generate_series(1, 2) as n where status <> 'pending'`;
}

/** Rows in the middle of their tables, so that a page after such a row has rows on both sides. */
async function sample(rows: Rows) {
  const one = async <Row>(found: Promise<Row[]>) => (await found)[0] as Row;
  const verification = (status: string) =>
    one(rows<{ id: string; reference: string; submittedAt: Date }>`
      select id, reference, submitted_at as "submittedAt" from verifications
      where org_id = ${ids.orgId} and environment = 'sandbox' and status = ${status}
        and submitted_at is not null
      order by created_at desc offset 2500 limit 1`);
  const delivery = (status: string) =>
    one(rows<{ id: string; eventId: string; nextAttemptAt: Date }>`
      select id, event_id as "eventId", next_attempt_at as "nextAttemptAt" from deliveries
      where endpoint_id = ${ids.endpointId} and status = ${status} and trigger = 'event'
      order by created_at desc offset 20 limit 1`);
  const completed = await verification('completed');
  const visit = (status: string) =>
    one(rows<{ id: string; verificationId: string; codeHash: Buffer; nextAskAt: Date }>`
      select id, verification_id as "verificationId", code_hash as "codeHash", next_ask_at as "nextAskAt" from eid_transactions
      where org_id = ${ids.orgId} and environment = 'sandbox' and status = ${status}
      order by next_ask_at offset 5 limit 1`);
  return {
    ...ids,
    organisation: 'organisation 1',
    key: await one(rows<{ id: string; hash: Buffer }>`select id, hash from api_keys offset 9999 limit 1`),
    request: await one(
      rows<{ id: string }>`select id from requests where status = 'claimed' offset 20 limit 1`,
    ),
    answered: await one(rows<{ id: string; key: string }>`
      select id, idempotency_key as key from requests where answer is not null offset 20000 limit 1`),
    pending: await verification('pending'),
    incomeCheck: await one(rows<{ id: string }>`
      select id from verifications where org_id = ${ids.orgId} and method = 'income' order by created_at desc offset 5000 limit 1`),
    completed,
    toReview: await one(rows<{ id: string }>`
      select id from verifications
      where org_id = ${ids.orgId} and environment = 'sandbox' and verdict ->> 'outcome' = 'review'
      order by completed_at offset 400 limit 1`),
    /** The id of a verification. Few ids are between it and the id of `completed`. */
    notFarAfter: await one(rows<{ id: string }>`
      select id from verifications where id > ${completed.id} order by id offset 50 limit 1`),
    otherOrgId: (
      await one(rows<{ id: string }>`
      select org_id as id from verifications where environment = 'live' limit 1`)
    ).id,
    endpointAfter: await one(rows<{ id: string }>`
      select id from webhook_endpoints where org_id = ${ids.orgId} order by created_at desc offset 10000 limit 1`),
    waiting: await delivery('pending'),
    retrying: await delivery('retrying'),
    delivered: await delivery('delivered'),
    openVisit: await visit('open'),
    visit: await visit('expired'),
  };
}
