import { sql } from 'kysely';
import { type CheckKind, type Environment, type Method, originalKinds } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { countedUpTo } from '../database/statements.ts';
import { inQueue, queuedAt } from './reviews.ts';

type Page = { memberId: string; limit: number; after: string | undefined };

/** A verification of the queue. It says how many members have decided, but never what they chose. */
export type QueuedReview = {
  id: string;
  method: Method;
  reference: string | null;
  verdict: Omit<Decision, 'checks'>;
  /** The checks whose result is doubt or failed, in their order. Those of several documents can have the same kind. */
  doubts: CheckKind[];
  queuedAt: Date;
  /** The earliest end of the pictures. Null if there is no picture. */
  picturesEndAt: Date | null;
  /** True while a picture of the document is there as the person handed it in: its copy is still being made. */
  isCopyDue: boolean;
  claimedBy: string | null;
  claimedUntil: Date | null;
  decisions: number;
  /** Null before the first decision. Then the setting of the organisation counts. */
  eyes: number | null;
  /** True if this member has decided and waits for another. */
  decidedByMember: boolean;
};

/** The queue of an organisation and environment. */
export const reviewQueueOf = ({ orgId, environment }: OrgScope, db: Db) => ({
  /**
   * Returns at most `limit` rows that wait for a person, oldest verdict first, that follow the row with id `after`. The decisions are read
   * once for each row of the page: an `exists` or a join of its own can make Postgres read the decisions of all verifications. A decision
   * that concludes is stored before the workflow carries it out.
   */
  async oldest({ memberId, limit, after }: Page): Promise<QueuedReview[]> {
    const follows =
      after === undefined
        ? sql`true`
        : sql`(completed_at, id) > (
            select place.completed_at, place.id
            from (select completed_at, id, org_id, environment from verifications where id = ${after} limit 1) as place
            where place.org_id = ${orgId} and place.environment = ${environment})`;
    const { rows } = await sql<QueuedReview>`
      select id, method, reference, verdict - 'checks' as verdict, ${queuedAt} as "queuedAt",
        jsonb_path_query_array(verdict, '$.checks[*] ? (@.result == "doubt" || @.result == "failed").kind') as doubts,
        pictures."endAt" as "picturesEndAt", pictures."areOriginalsLeft" and environment = 'live' as "isCopyDue",
        claim.member_id as "claimedBy", claim.expires_at as "claimedUntil",
        decided.number as decisions, decided.eyes, decided."decidedByMember"
      from verifications
      left join lateral (
        select member_id, expires_at from review_claims
        where verification_id = verifications.id and expires_at > now()) as claim on true
      cross join lateral (
        select min(expires_at) filter (where picture is not null) as "endAt",
          coalesce(bool_or(kind = any (${originalKinds as unknown as string[]})), false) as "areOriginalsLeft"
        from evidence where verification_id = verifications.id) as pictures
      cross join lateral (
        select count(*)::int as number, min(eyes)::int as eyes, coalesce(bool_or(concludes), false) as "isConcluded",
          coalesce(bool_or(member_id = ${memberId}), false) as "decidedByMember"
        from review_decisions where verification_id = verifications.id) as decided
      where org_id = ${orgId} and environment = ${environment} and ${inQueue} and not decided."isConcluded" and ${follows}
      order by completed_at, id limit ${limit}`.execute(db);
    return rows;
  },

  /** How many wait, counted up to `upTo`, and since when the oldest of them does. */
  async length(upTo = countedUpTo): Promise<{ waiting: number; oldestAt: Date | null }> {
    const { rows } = await sql<{ waiting: number; oldestAt: Date | null }>`
      select count(*)::int as waiting, min(at) as "oldestAt" from (
        select ${queuedAt} as at from verifications
        where org_id = ${orgId} and environment = ${environment} and ${inQueue}
        limit ${upTo}) as queue`.execute(db);
    return rows[0] ?? { waiting: 0, oldestAt: null };
  },

  /**
   * How many reviews ended in the last 24 hours and 7 days, and the median time that those of 7 days waited. The newest `countedUpTo` are
   * looked at.
   */
  async throughput(): Promise<{ lastDay: number; lastWeek: number; medianWaitMs: number | null }> {
    const { rows } = await sql<{ lastDay: number; lastWeek: number; medianWaitMs: number | null }>`
      select count(*) filter (where created_at > now() - interval '1 day')::int as "lastDay", count(*)::int as "lastWeek",
        percentile_cont(0.5) within group (order by extract(epoch from created_at - queued_at) * 1000)::float
          as "medianWaitMs"
      from (
        select created_at, queued_at from review_decisions
        where org_id = ${orgId} and environment = ${environment} and concludes and created_at > now() - interval '7 days'
        order by created_at desc limit ${countedUpTo}) as newest`.execute(db);
    return rows[0] ?? { lastDay: 0, lastWeek: 0, medianWaitMs: null };
  },
});

/** How many verifications wait for a person in each environment, counted up to `upTo`, and how long the oldest does, in seconds. */
export async function countQueueOfAnyOrganisation(
  db: Db,
  upTo: number,
): Promise<{ environment: Environment; waiting: number; oldestSeconds: number }[]> {
  const { rows } = await sql<{ environment: Environment; waiting: number; oldestSeconds: number }>`
    select environment, count(*)::int as waiting, extract(epoch from now() - min(at))::float8 as "oldestSeconds" from (
      select environment, ${queuedAt} as at from verifications where ${inQueue} limit ${upTo}) as queue
    group by environment`.execute(db);
  return rows;
}
