import { expect } from 'vitest';
import { expiring } from '#contract/workflows.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import type { Harness } from '#test/support/harness.ts';
import type { Rows } from '#test/support/rows/rows.ts';
import { queryAt } from '#test/support/servers/database.ts';

/** Dates every row of every table back: each column with a time, the time in each id, and the day in a line about a relationship. */
export async function dateBack({ databaseUrl }: Harness, ms: number): Promise<void> {
  const columns = await queryAt(
    databaseUrl,
    `select c.relname as name, a.attname as column, format_type(a.atttypid, null) as type
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and a.atttypid in ('timestamptz'::regtype, 'uuid'::regtype)`,
  );
  const updates = [...Map.groupBy(columns, ({ name }) => name)].map(
    ([table, of]) =>
      `update ${table} set ${of.map(({ column, type }) => `${column} = ${datedBack(`${column}`, `${type}`, ms)}`).join(', ')}`,
  );
  const ends = `update ledger set data = jsonb_set(data, '{ended_on}', to_jsonb(to_char(
    (data ->> 'ended_on')::timestamp - interval '${ms} milliseconds', 'YYYY-MM-DD'))) where data ? 'ended_on'`;
  // Without the triggers of foreign keys, because both sides change.
  await queryAt(
    databaseUrl,
    'begin',
    'set local session_replication_role = replica',
    ...updates,
    ends,
    'commit',
  );
}

/** A UUIDv7 begins with its time in 48 bits. */
const datedBack = (column: string, type: string, ms: number): string =>
  type === 'uuid'
    ? `case when substr(${column}::text, 15, 1) <> '7' then ${column} else (
         lpad(to_hex(('x' || lpad(replace(left(${column}::text, 13), '-', ''), 16, '0'))::bit(64)::bigint - ${ms}), 12, '0')
         || substr(replace(${column}::text, '-', ''), 13))::uuid end`
    : `${column} - interval '${ms} milliseconds'`;

/** Purges every kind until nothing is left, as housekeeping does every hour. */
export async function purgeAll({ housekeepingStore: store, ctx: { clock } }: Harness): Promise<void> {
  for (const what of expiring)
    for (let rows = 1; rows > 0; ) ({ rows } = await purgeExpired({ store, clock }, { what, rowsMax: 100 }));
}

type Words = (rows: Rows) => Promise<Record<string, unknown>[]>;

/** A word for each row of a table that can be about a person. `v` is the verification that the row names, or null. */
const words: Record<string, Words> = {
  verifications: (rows) => rows`select id as v, '' as word from verifications`,
  income_checks: (rows) => rows`select verification_id as v, '' as word from income_checks`,
  income_files: (rows) => rows`select verification_id as v, '' as word from income_files`,
  income_hashes: (rows) => rows`select verification_id as v, 'hash' as word from income_hashes`,
  evidence: (rows) =>
    rows`select verification_id as v, kind || ' ' || (picture is not null)::text as word from evidence`,
  data_keys: (rows) => rows`select verification_id as v, '' as word from data_keys`,
  ledger: (rows) => rows`select subject_id as v, type as word from ledger order by sequence`,
  ledger_personal: (rows) => rows`select subject_id as v, 'line ' || sequence as word from ledger_personal`,
  commands: (rows) => rows`select verification_id as v, name as word from commands`,
  examinations: (rows) => rows`select verification_id as v, 'examination' as word from examinations`,
  eid_transactions: (rows) =>
    rows`select verification_id as v, 'visit ' || status as word from eid_transactions`,
  review_claims: (rows) => rows`select verification_id as v, 'claim' as word from review_claims`,
  review_decisions: (rows) => rows`select verification_id as v, outcome as word from review_decisions`,
  events: (rows) => rows`
    select verification_id as v, case when body is null then 'empty' else 'with body' end as word from events`,
  deliveries: (rows) => rows`select null as v, status as word from deliveries`,
  delivery_attempts: (rows) => rows`
    select null as v, case when answer is null then 'without' else 'with' end || ' answer, '
      || case when heads is null then 'without' else 'with' end || ' headers' as word
    from delivery_attempts`,
  delivery_orders: (rows) => rows`select null as v, kind as word from delivery_orders`,
  requests: (rows) => rows`
    select coalesce(verification_id, id) as v, operation || case when idempotency_key is null then '' else ', key' end
      || case when answer is null then '' else ', answer' end || case when input is null then '' else ', input' end as word
    from requests`,
  request_log: (rows) => rows`select null as v, 'lines' as word from request_log limit 1`,
  webhook_endpoints: (rows) => rows`
    select null as v, case when previous_secret is null then 'one secret' else 'two secrets' end as word
    from webhook_endpoints`,
  members: (rows) => rows`select null as v, role as word from members`,
  member_sessions: (rows) => rows`select null as v, 'session' as word from member_sessions`,
  member_links: (rows) => rows`select null as v, kind as word from member_links`,
  member_recovery_codes: (rows) => rows`select null as v, 'codes' as word from member_recovery_codes limit 1`,
  member_passkeys: (rows) => rows`select null as v, 'passkey' as word from member_passkeys`,
};

/** The other tables, and why they say nothing of a person. */
const ofNobody: Record<string, string> = {
  organisations: 'the settings of a partner',
  organisation_logos: 'the picture of a partner',
  eid_contracts: 'an agreement of a partner with a bank',
  api_keys: 'software signs in with them',
  deactivations: 'which endpoints are closing',
  leases: 'which worker leads',
  purges: 'when housekeeping was done',
  removed_usage: 'a number for each month',
  used_forms: 'random numbers of a session of a member, with which they go',
  migrations: 'the version of the schema',
};

/** Says in a word which rows are left in each table of the schema that can be about a person. `nameOf` names a verification by its id. */
export async function rowsLeft(
  { rows }: Harness,
  nameOf: (id: unknown) => string,
): Promise<Record<string, string[]>> {
  const tables = await rows<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
  expect(tables.map(({ name }) => name).sort(), 'each table has its words, or a reason why not').toEqual(
    [...Object.keys(words), ...Object.keys(ofNobody)].sort(),
  );
  const entries = await Promise.all(
    Object.entries(words).map(async ([table, query]) => {
      const named = (await query(rows)).map(({ v, word }) => `${v === null ? '' : nameOf(v)} ${word}`.trim());
      return [table, named.sort()] as const;
    }),
  );
  return Object.fromEntries(entries);
}
