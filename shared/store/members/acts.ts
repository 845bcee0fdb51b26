import { sql } from 'kysely';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

/** A line of the ledger about what a member or the operator did. */
export type ActLine = {
  subjectId: string;
  sequence: number;
  type: string;
  data: Record<string, unknown>;
  createdAt: Date;
};

/** A place among the acts of an organisation. */
export type ActPlace = { at: Date; subjectId: string; sequence: number };

/** The index `ledger_acts` has the same words. A passkey that was copied is blocked by the product, when somebody signs in with it. */
const isAct = sql`(data -> 'actor' ->> 'kind' in ('member', 'operator') or type = 'member.passkey_blocked')`;

/** What members and the operator did in an organisation, in both environments. */
export const actsOf = ({ orgId }: OrgScope, db: Db) => ({
  /** Returns at most `limit` lines before this place, newest first, and none that is older than `from`. */
  async before(given: { place: ActPlace; from: Date | undefined; limit: number }): Promise<ActLine[]> {
    const { place, from, limit } = given;
    const { at, subjectId, sequence } = place;
    const notOlder = from === undefined ? sql`` : sql`and created_at >= ${from}::timestamptz`;
    const { rows } = await sql<ActLine>`
      select subject_id as "subjectId", sequence, type, data, created_at as "createdAt" from ledger
      where org_id = ${orgId} and ${isAct}
        and (created_at, subject_id, sequence) < (${at}::timestamptz, ${subjectId}::uuid, ${sequence}::int) ${notOlder}
      order by created_at desc, subject_id desc, sequence desc limit ${limit}`.execute(db);
    return rows;
  },
});
