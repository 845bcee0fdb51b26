import { sql } from 'kysely';
import type { Secrets } from '#platform/crypto/crypto.ts';
import { evidenceBinding, requireDataKey } from '#services/personal/data-key.ts';
import type { Store } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';

const atOnce = 1_000;

/** `linkKeyId` names the key of SECRETS_KEY that makes the links, `keyId` the key of the requests. */
type Filled = { orgId: string; endpointId: string; keyId: string; linkKeyId: string; count: number };

/**
 * Inserts verifications of one organisation over two years, with the rows that belong to them: four lines of the ledger each (three if it is open), of
 * which one is an act of a member, one event, one delivery with one attempt, decisions of reviewers, and one line of the request log. Of 1,000 rows
 * 20 are open, 4 wait for a person, and half of the others were decided by one; of 1,000 deliveries 10 are open. The hashes are random,
 * since no page compares them.
 */
export async function fillConsole(store: Store, { count, ...ids }: Filled): Promise<void> {
  for (let from = 1; from <= count; from += atOnce)
    await store.transaction(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx);
      await statement({ ...ids, from, upTo: Math.min(from + atOnce - 1, count) }).execute(tx);
    });
}

/** Of 1,000 deliveries 10 are open. Of these some are due, some overdue, and the others wait. */
const isDue = sql.raw('get_byte(uuid_send(id), 0) < 3');
const isOpen = sql.raw('n % 50 = 0');
/** One in sandbox and one in live. */
const waits = sql.raw('n % 500 in (1, 6)');
const created = sql.raw("now() - n * interval '1 minute'");

/** One statement, so that no row is looked up again. */
const statement = ({
  orgId,
  endpointId,
  keyId,
  linkKeyId,
  from,
  upTo,
}: Omit<Filled, 'count'> & { from: number; upTo: number }) => sql`
  with made as (
    insert into verifications (id, org_id, environment, status, method, reference, dossier_ref, link_key_id, link_expires_at,
      verdict, created_at, completed_at)
    select gen_random_uuid(), ${orgId}, case when n % 10 < 3 then 'sandbox' else 'live' end,
      case when ${isOpen} then 'pending' else 'completed' end, case when n % 3 = 0 then 'document_only' else 'document_liveness' end,
      'customer ' || n, 'dos_' || n, ${linkKeyId}, ${created} + interval '7 days',
      case when ${isOpen} then null else jsonb_build_object('outcome',
        case when ${waits} then 'review' when n % 20 = 3 then 'rejected' else 'approved' end, 'assuranceLevel', 'low',
        'reasonIds', '["person_assesses"]'::jsonb,
        'checks', '[{"kind": "document_expiry", "result": "passed", "confidence": 0.99}]'::jsonb,
        'reviewed', not ${waits} and n % 2 = 1) end,
      ${created}, case when ${isOpen} then null else ${created} + interval '5 minutes' end
    from generate_series(${from}::int, ${upTo}::int) as n
    returning id, org_id, environment, verdict, created_at, completed_at
  ), lines as (
    insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
    select id, sequence, org_id, (array['verification.created', 'verification.started', 'evidence.viewed',
        'verification.completed'])[sequence],
      case when sequence = 3 then '{"actor": {"kind": "member", "id": "01990000-0000-7000-8000-000000000000"}, "kinds": ["selfie"]}'::jsonb
        else '{"actor": {"kind": "machine"}}' end, sha256(id::text::bytea), sha256(id::text::bytea),
      created_at + sequence * interval '1 minute'
    from made, generate_series(1, case when completed_at is null then 3 else 4 end) as sequence
  ), told as (
    insert into events (id, org_id, environment, type, body, verification_id, created_at)
    select 'evt_' || id, org_id, environment, 'verification.completed', null, id, completed_at from made
    where completed_at is not null
    returning id, org_id, environment, created_at
  ), delivered as (
    insert into deliveries (id, org_id, environment, event_id, endpoint_id, status, attempts_allowed, created_at, next_attempt_at)
    select id, org_id, environment, event_id, ${endpointId}, case when ${isDue} then 'retrying' else 'delivered' end, 6, created_at,
      case when ${isDue} then now() + (get_byte(uuid_send(id), 1) - 64) * interval '10 minutes' end
    from (select gen_random_uuid() as id, org_id, environment, id as event_id, created_at from told) as each
    returning id, created_at
  ), requests as (
    insert into request_log (request_id, org_id, environment, key_id, method, path, status, duration_ms, created_at)
    select 'req_' || lpad(n::text, 26, '0'), ${orgId}, 'live', ${keyId}, 'GET', '/v1/verifications/:id',
      case when n % 50 = 0 then 404 else 200 end, 5, now() - n * interval '3 seconds'
    from generate_series(${from}::int, ${upTo}::int) as n
  ), attempts as (
    insert into delivery_attempts (delivery_id, number, started_at, duration_ms, outcome, response_status)
    select id, 1, created_at, 20, 'delivered', 200 from delivered
  )
  insert into review_decisions (id, verification_id, org_id, environment, member_id, number, eyes, outcome, reason_ids, concludes,
    queued_at, claimed_at, claimed_until, created_at, recorded_at)
  select gen_random_uuid(), id, org_id, environment, 'member', 1, 1, verdict ->> 'outcome', '{reviewer_accepts_document}', true,
    completed_at, completed_at, completed_at + interval '15 minutes', completed_at + interval '5 minutes',
    completed_at + interval '5 minutes'
  from made where verdict ->> 'reviewed' = 'true'`;

const pictureBytes = 300_000;

/** Gives a verification four pictures, as a person hands them in and the product masks them. They are sealed, and of usual size. */
export const keepFourPictures = (
  { store, secrets }: { store: Store; secrets: Secrets },
  scope: OrgScope,
  id: string,
): Promise<void> =>
  store.transaction(async (tx) => {
    const key = await requireDataKey({ secrets }, tx, scope, id);
    for (const kind of ['masked_front', 'masked_back', 'portrait', 'selfie'] as const) {
      const picture = key.seal(evidenceBinding(id, kind), Buffer.alloc(pictureBytes, kind));
      const expiresAt = new Date(Date.now() + 20 * 86_400_000);
      await evidenceOf(scope, tx, id).keep({ kind, picture, sha256: null, source: 'upload', expiresAt });
    }
  });
