import { sql } from 'kysely';
import type { Environment } from '#contract/enums.ts';
import type { Db } from './database/connection.ts';
import { writeAtOnce } from './database/statements.ts';

/** One authenticated request (specification 4.2), without its content. */
export type RequestLogLine = {
  requestId: string;
  orgId: string;
  environment: Environment;
  keyId: string;
  method: string;
  /** The pattern of the route. The path itself is not stored, because it can contain an id or a token. */
  path: string;
  status: number;
  code: string | null;
  durationMs: number;
  /** The time at which the request arrived. */
  createdAt: Date;
};

/** Skips lines that are already stored, so a call may be repeated. */
export const writeRequestLog = (db: Db, lines: readonly RequestLogLine[]): Promise<void> =>
  writeAtOnce(db, [newLines(lines), lastUses(lines)]);

const newLines = (lines: readonly RequestLogLine[]) => {
  const times = lines.map(({ createdAt }) => createdAt.getTime());
  // These time bounds make Postgres use the index on the time, whatever its statistics say.
  const [oldest, newest] = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  return sql`
    insert into request_log
      (request_id, org_id, environment, key_id, method, path, status, code, duration_ms, created_at)
    select line.* from jsonb_to_recordset(${JSON.stringify(lines.map(columnsOf))}::jsonb) as line(
      request_id text, org_id uuid, environment text, key_id uuid, method text, path text, status smallint, code text,
      duration_ms int, created_at timestamptz(3))
    where not exists (
      select from request_log as known
      where known.created_at between ${oldest} and ${newest}
        and known.created_at = line.created_at and known.request_id = line.request_id)
    order by line.created_at`;
};

const columnsOf = (line: RequestLogLine) => ({
  request_id: line.requestId,
  org_id: line.orgId,
  environment: line.environment,
  key_id: line.keyId,
  method: line.method,
  path: line.path,
  status: line.status,
  code: line.code,
  duration_ms: line.durationMs,
  created_at: line.createdAt,
});

/**
 * Updates the last use of a key at most once a minute. Rows are locked in the order of their ids, because otherwise two processes
 * could cause a deadlock.
 */
const lastUses = (lines: readonly RequestLogLine[]) => sql`
  update api_keys set last_used_at = due.at
  from (
    select api_keys.id, used.at
    from jsonb_to_recordset(${JSON.stringify(latestUses(lines))}::jsonb) as used(id uuid, at timestamptz(3))
    join api_keys on api_keys.id = used.id
    where api_keys.last_used_at is null or api_keys.last_used_at <= used.at - interval '1 minute'
    order by api_keys.id
    for no key update of api_keys
  ) as due
  where api_keys.id = due.id`;

function latestUses(lines: readonly RequestLogLine[]): { id: string; at: Date }[] {
  const latest = new Map<string, Date>();
  for (const { keyId, createdAt } of lines)
    if (createdAt > (latest.get(keyId) ?? 0)) latest.set(keyId, createdAt);
  return [...latest].map(([id, at]) => ({ id, at }));
}
