import { expiring } from '#contract/workflows.ts';
import { purgeExpired } from '#services/retention/purge.ts';
import { queryAt } from '#test/support/database.ts';
import type { Harness } from '#test/support/harness.ts';

/** Dates every row of every table back: each column with a time, and the time in each id. */
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
  // Without the triggers of foreign keys, because both sides change.
  await queryAt(databaseUrl, 'begin', 'set local session_replication_role = replica', ...updates, 'commit');
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

/** Says in a word which rows are left in each table. `nameOf` names a verification by its id. */
export async function rowsLeft(
  { rows }: Harness,
  nameOf: (id: unknown) => string,
): Promise<Record<string, string[]>> {
  const found = {
    verifications: rows`select id as v, '' as word from verifications`,
    evidence: rows`select verification_id as v, kind || ' ' || (picture is not null)::text as word from evidence`,
    data_keys: rows`select verification_id as v, '' as word from data_keys`,
    ledger: rows`select subject_id as v, type as word from ledger order by sequence`,
    ledger_personal: rows`select subject_id as v, 'line ' || sequence as word from ledger_personal`,
    commands: rows`select verification_id as v, name as word from commands`,
    examinations: rows`select verification_id as v, 'examination' as word from examinations`,
    events: rows`select verification_id as v, case when body is null then 'empty' else 'with body' end as word from events`,
    deliveries: rows`select null as v, status as word from deliveries`,
    delivery_attempts: rows`
      select null as v, case when answer is null then 'without answer' else 'with answer' end as word
      from delivery_attempts`,
    requests: rows`
      select coalesce(verification_id, id) as v, operation || case when idempotency_key is null then '' else ', key' end
        || case when answer is null then '' else ', answer' end || case when input is null then '' else ', input' end as word
      from requests`,
    request_log: rows`select null as v, 'lines' as word from request_log limit 1`,
    webhook_endpoints: rows`
      select null as v, case when previous_secret is null then 'one secret' else 'two secrets' end as word from webhook_endpoints`,
  };
  const entries = await Promise.all(
    Object.entries(found).map(async ([table, query]) => {
      const named = (await query).map(({ v, word }) => `${v === null ? '' : nameOf(v)} ${word}`.trim());
      return [table, named.sort()] as const;
    }),
  );
  return Object.fromEntries(entries);
}
