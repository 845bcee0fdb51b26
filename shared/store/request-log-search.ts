import { sql } from 'kysely';
import type { Environment } from '#contract/enums.ts';
import type { Db } from './database/connection.ts';
import type { OrgScope } from './database/scope.ts';

/** A line of the request log. `id` has as many digits as Postgres gives. */
export type LoggedRequest = {
  id: string;
  requestId: string;
  environment: Environment;
  keyId: string;
  method: string;
  /** The pattern of the route. */
  path: string;
  status: number;
  code: string | null;
  durationMs: number;
  createdAt: Date;
};

/** A place in the log: the time and the id of a line. */
export type LogPlace = { at: Date; id: string };

/** The requests of an organisation, in both environments. */
export const loggedRequestsOf = ({ orgId }: OrgScope, db: Db) => ({
  /** Returns at most `limit` lines before this place, newest first, that are not older than `from`. */
  async before({
    place,
    from,
    limit,
  }: {
    place: LogPlace;
    from: Date;
    limit: number;
  }): Promise<LoggedRequest[]> {
    const { rows } = await sql<LoggedRequest>`
      select id::text as id, request_id as "requestId", environment, key_id as "keyId", method, path, status, code,
        duration_ms as "durationMs", created_at as "createdAt"
      from request_log
      where org_id = ${orgId} and created_at >= ${from} and created_at <= ${place.at}
        and (created_at, id) < (${place.at}::timestamptz, ${place.id}::bigint)
      order by created_at desc, request_log.id desc limit ${limit}`.execute(db);
    return rows;
  },
});
