import { sql } from 'kysely';
import type { DeliveryStatus, DeliveryTrigger } from '#contract/enums.ts';
import type { Expiring } from '#contract/workflows.ts';
import { uuidOfTime } from '#platform/crypto/crypto.ts';
import type { Rows } from '#test/support/rows/rows.ts';

const org = '00000000-0000-7000-8000-000000000001';
const endpoint = '00000000-0000-7000-8000-000000000002';

/** Leaves one organisation with one webhook endpoint in the database, and nothing else. */
export async function emptyDatabase(rows: Rows): Promise<void> {
  await rows`truncate organisations, request_log cascade`;
  await rows`insert into organisations (id, name) values (${org}, 'Old Rows')`;
  await rows`
    insert into webhook_endpoints (id, org_id, url, event_types, environment, secret)
    values (${endpoint}, ${org}, 'https://partner.example/hooks', '{verification.completed}', 'all', '\\x00')`;
}

/** A new UUIDv7 of this time for each row. */
const idOfTime = (at: Date) => sql`(
  ${uuidOfTime(at).slice(0, 14)}::text || '7' || substr(gen_random_uuid()::text, 16))::uuid`;

/** Adds a line for each of the verifications `made` that a statement has added. */
const lineFor = (type: string, at: Date) => sql`
  insert into ledger (subject_id, sequence, org_id, type, data, previous_hash, hash, created_at)
  select id, 1, org_id, ${type}::text, '{}', '\\x00', '\\x00', ${at}::timestamptz from made`;

type Aged = {
  /** Adds rows that were created at this time, with the data that housekeeping purges. */
  add(rows: Rows, at: Date, count?: number): Promise<unknown>;
  /** Returns the times of the rows that still have the data that housekeeping purges, oldest first. */
  left(rows: Rows): Promise<Date[]>;
};

export const aged: Record<Expiring, Aged> = {
  claims: {
    add: (rows, at, count = 1) => rows`
      insert into requests
        (id, org_id, environment, operation, idempotency_key, fingerprint, status, answer_status, answer, created_at)
      select gen_random_uuid(), ${org}, 'sandbox', 'create_verification', gen_random_uuid()::text, '\\x00', 'answered',
        201, '\\x01', ${at} from generate_series(1, ${count}::int)`,
    left: (rows) =>
      moments(rows`
        select created_at as at from requests where idempotency_key is not null or answer is not null order by 1`),
  },
  requests: {
    add: (rows, at, count = 1) => rows`
      insert into requests (id, org_id, environment, operation, fingerprint, status, created_at)
      select ${idOfTime(at)}, ${org}, 'sandbox', 'create_verification', '\\x00', 'answered', ${at}
      from generate_series(1, ${count}::int)`,
    left: (rows) => moments(rows`select created_at as at from requests order by 1`),
  },
  webhook_secrets: {
    add: (rows, at, count = 1) => rows`
      insert into webhook_endpoints
        (id, org_id, url, event_types, environment, secret, previous_secret, previous_secret_until)
      select gen_random_uuid(), ${org}, 'https://partner.example/hooks', '{}', 'all', '\\x00', '\\x01', ${at}
      from generate_series(1, ${count}::int)`,
    left: (rows) =>
      moments(rows`
        select previous_secret_until as at from webhook_endpoints where previous_secret is not null order by 1`),
  },
  abandoned_verifications: {
    add: (rows, at, count = 1) => rows`
      with made as (
        insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
        select gen_random_uuid(), ${org}, 'live', 'in_progress', 'document_only', 'dos_' || gen_random_uuid(), 'k', ${at}
        from generate_series(1, ${count}::int) returning id, org_id
      ) ${lineFor('verification.started', at)}`,
    left: (rows) =>
      moments(rows`select link_expires_at as at from verifications where status <> 'completed' order by 1`),
  },
  completed_verifications: {
    add: (rows, at, count = 1) => rows`
      with made as (
        insert into verifications
          (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at, created_at, completed_at)
        select ${idOfTime(at)}, ${org}, 'live', 'completed', 'document_only', 'dos_' || gen_random_uuid(), 'k', ${at}, ${at}, ${at}
        from generate_series(1, ${count}::int) returning id, org_id
      ) ${lineFor('verification.completed', at)}`,
    left: (rows) =>
      moments(rows`select completed_at as at from verifications where completed_at is not null order by 1`),
  },
  request_log: {
    add: (rows, at, count = 1) => rows`
      insert into request_log
        (request_id, org_id, environment, key_id, method, path, status, duration_ms, created_at)
      select 'req_' || gen_random_uuid(), ${org}, 'sandbox', ${org}, 'GET', '/v1/verifications', 200, 3, ${at}
      from generate_series(1, ${count}::int)`,
    left: (rows) => moments(rows`select created_at as at from request_log order by 1`),
  },
  event_bodies: {
    add: (rows, at, count = 1) => rows`
      insert into events (id, org_id, environment, type, body, created_at)
      select 'evt_' || gen_random_uuid(), ${org}, 'sandbox', 'verification.completed', '\\x7b7d', ${at}
      from generate_series(1, ${count}::int)`,
    left: (rows) => moments(rows`select created_at as at from events where body is not null order by 1`),
  },
  response_excerpts: {
    async add(rows, at, count = 1) {
      for (let i = 0; i < count; i++) {
        const deliveryId = await addDelivery(rows, await addEvent(rows, at), 'delivered');
        await rows`
          insert into delivery_attempts (delivery_id, number, started_at, outcome, response_status, answer, heads)
          values (${deliveryId}, 1, ${at}, 'delivered', 200, ${i % 2 === 0 ? 'ok' : null}::text::bytea, 'heads'::bytea)`;
      }
    },
    left: (rows) =>
      moments(rows`
        select started_at as at from delivery_attempts where answer is not null or heads is not null order by 1`),
  },
  evidence: {
    add: (rows, at, count = 1) => rows`
      with people as (
        insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
        select gen_random_uuid(), ${org}, 'live', 'completed', 'document_only', 'dos_' || gen_random_uuid(), 'k', ${at}
        from generate_series(1, ${count}::int) returning id
      )
      insert into evidence (verification_id, kind, org_id, environment, picture, expires_at)
      select id, 'passport_page', ${org}, 'live', '\\x00', ${at} from people`,
    left: (rows) => moments(rows`select expires_at as at from evidence order by 1`),
  },
};

type Row = Record<string, unknown>;
const moments = async (answer: Promise<Row[]>) => (await answer).map(({ at }) => at as Date);
const idOf = async (answer: Promise<Row[]>) => String((await answer)[0]?.id);

export const addEvent = (rows: Rows, at: Date): Promise<string> =>
  idOf(rows`
    insert into events (id, org_id, environment, type, body, created_at)
    values ('evt_' || gen_random_uuid(), ${org}, 'sandbox', 'verification.completed', '\\x7b7d', ${at})
    returning id`);

export const addDelivery = (
  rows: Rows,
  eventId: string,
  status: DeliveryStatus,
  trigger: DeliveryTrigger = 'event',
): Promise<string> =>
  idOf(rows`
    insert into deliveries (id, org_id, environment, event_id, endpoint_id, trigger, status, attempts_allowed)
    values (gen_random_uuid(), ${org}, 'sandbox', ${eventId}, ${endpoint}, ${trigger}, ${status}, 6)
    returning id`);

type Claim = { key?: string; status: 'claimed' | 'answered'; at: Date };

/** Adds a claim of an idempotency key. A claim without an answer still has the input of its request. */
export const addClaim = (rows: Rows, { key, status, at }: Claim): Promise<string> =>
  idOf(rows`
    insert into requests
      (id, org_id, environment, operation, idempotency_key, fingerprint, input, status, answer_status, answer, created_at)
    values (gen_random_uuid(), ${org}, 'sandbox', 'create_verification', ${key ?? null}, '\\x00',
      ${status === 'claimed' ? '{"reference":"of a person"}' : null}::jsonb, ${status},
      ${status === 'answered' ? 201 : null}::smallint, ${status === 'answered' ? Buffer.of(1) : null}, ${at})
    returning id`);
