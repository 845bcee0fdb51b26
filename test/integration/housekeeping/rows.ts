import { sql } from 'kysely';
import type { DeliveryStatus, DeliveryTrigger } from '#contract/enums.ts';
import type { Expiring } from '#contract/workflows.ts';
import type { Store } from '#store/orm.ts';

const org = '00000000-0000-7000-8000-000000000001';
const endpoint = '00000000-0000-7000-8000-000000000002';

/** Nothing but an organisation with a webhook endpoint. */
export async function emptyDatabase({ db }: Store): Promise<void> {
  await sql`truncate organisations, request_log cascade`.execute(db);
  await sql`insert into organisations (id, name) values (${org}, 'Old Rows')`.execute(db);
  await sql`
    insert into webhook_endpoints (id, org_id, url, event_types, environment, secret)
    values (${endpoint}, ${org}, 'https://partner.example/hooks', '{verification.completed}', 'all', '\\x00')`.execute(
    db,
  );
}

type Rows = {
  /** Adds rows of one moment that have everything that can be purged. */
  add(store: Store, at: Date, count?: number): Promise<void>;
  /** The moments of those that still have it, oldest first. */
  left(store: Store): Promise<Date[]>;
};

export const rowsOf: Record<Expiring, Rows> = {
  claims: {
    add: ({ db }, at, count = 1) =>
      run(
        sql`
        insert into requests
          (id, org_id, environment, operation, idempotency_key, fingerprint, status, answer_status, answer, created_at)
        select gen_random_uuid(), ${org}, 'sandbox', 'create_verification', gen_random_uuid()::text, '\\x00', 'answered',
          201, '\\x01', ${at} from generate_series(1, ${count}::int)`.execute(db),
      ),
    left: ({ db }) =>
      momentsOf(
        sql<Moment>`select created_at as at from requests where idempotency_key is not null or answer is not null order by 1`.execute(
          db,
        ),
      ),
  },
  request_log: {
    add: ({ db }, at, count = 1) =>
      run(
        sql`
        insert into request_log
          (request_id, org_id, environment, key_id, method, path, status, duration_ms, created_at)
        select 'req_' || gen_random_uuid(), ${org}, 'sandbox', ${org}, 'GET', '/v1/verifications', 200, 3, ${at}
        from generate_series(1, ${count}::int)`.execute(db),
      ),
    left: ({ db }) => momentsOf(sql<Moment>`select created_at as at from request_log order by 1`.execute(db)),
  },
  event_bodies: {
    add: ({ db }, at, count = 1) =>
      run(
        sql`
        insert into events (id, org_id, environment, type, body, created_at)
        select 'evt_' || gen_random_uuid(), ${org}, 'sandbox', 'verification.completed', '\\x7b7d', ${at}
        from generate_series(1, ${count}::int)`.execute(db),
      ),
    left: ({ db }) =>
      momentsOf(
        sql<Moment>`select created_at as at from events where body is not null order by 1`.execute(db),
      ),
  },
  response_excerpts: {
    async add(store, at, count = 1) {
      for (let i = 0; i < count; i++) {
        const deliveryId = await addDelivery(store, await addEvent(store, at), 'delivered');
        await sql`
          insert into delivery_attempts (delivery_id, number, started_at, outcome, response_status, response_excerpt)
          values (${deliveryId}, 1, ${at}, 'delivered', 200, '\\x6f6b')`.execute(store.db);
      }
    },
    left: ({ db }) =>
      momentsOf(
        sql<Moment>`select started_at as at from delivery_attempts where response_excerpt is not null order by 1`.execute(
          db,
        ),
      ),
  },
  evidence: {
    add: ({ db }, at, count = 1) =>
      run(
        sql`
        with people as (
          insert into verifications (id, org_id, environment, status, method, dossier_ref, link_key_id, link_expires_at)
          select gen_random_uuid(), ${org}, 'live', 'completed', 'document_only', 'dos_' || gen_random_uuid(), 'k', ${at}
          from generate_series(1, ${count}::int) returning id
        )
        insert into evidence (verification_id, kind, org_id, environment, picture, taken_at)
        select id, 'passport_page', ${org}, 'live', '\\x00', ${at} from people`.execute(db),
      ),
    left: ({ db }) => momentsOf(sql<Moment>`select taken_at as at from evidence order by 1`.execute(db)),
  },
};

type Moment = { at: Date };
type Answered<Row> = Promise<{ rows: Row[] }>;
const run = async (statement: Promise<unknown>) => void (await statement);
const momentsOf = async (answered: Answered<Moment>) => (await answered).rows.map(({ at }) => at);
const idOf = async (answered: Answered<{ id: string }>) => String((await answered).rows[0]?.id);

export const addEvent = ({ db }: Store, at: Date): Promise<string> =>
  idOf(
    sql<{ id: string }>`
      insert into events (id, org_id, environment, type, body, created_at)
      values ('evt_' || gen_random_uuid(), ${org}, 'sandbox', 'verification.completed', '\\x7b7d', ${at})
      returning id`.execute(db),
  );

export const addDelivery = (
  { db }: Pick<Store, 'db'>,
  eventId: string,
  status: DeliveryStatus,
  trigger: DeliveryTrigger = 'event',
): Promise<string> =>
  idOf(
    sql<{ id: string }>`
      insert into deliveries (id, org_id, environment, event_id, endpoint_id, trigger, status, attempts_allowed)
      values (gen_random_uuid(), ${org}, 'sandbox', ${eventId}, ${endpoint}, ${trigger}, ${status}, 6)
      returning id`.execute(db),
  );

type Claim = { key?: string; status: 'claimed' | 'answered'; at: Date };

/** A claim as its caller left it: one without an answer still has what was asked for. */
export const addClaim = ({ db }: Store, { key, status, at }: Claim): Promise<string> =>
  idOf(
    sql<{ id: string }>`
      insert into requests
        (id, org_id, environment, operation, idempotency_key, fingerprint, input, status, answer_status, answer, created_at)
      values (gen_random_uuid(), ${org}, 'sandbox', 'create_verification', ${key ?? null}, '\\x00',
        ${status === 'claimed' ? '{"reference":"of a person"}' : null}::jsonb, ${status},
        ${status === 'answered' ? 201 : null}::smallint, ${status === 'answered' ? Buffer.of(1) : null}, ${at})
      returning id`.execute(db),
  );
