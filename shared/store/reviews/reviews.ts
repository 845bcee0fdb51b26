import { sql } from 'kysely';
import type { ReviewOutcome } from '#contract/enums.ts';
import type { Decision } from '#contract/workflows.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';

/** Rows whose verdict a person still has to decide. The text is that of the index `verifications_to_review`. */
export const inQueue = sql<boolean>`(status = 'completed' and erased_at is null and verdict ->> 'reviewed' = 'false'
  and (verdict ->> 'outcome' = 'review' or reopened_at is not null))`;

export const queuedAt = sql<Date>`coalesce(reopened_at, completed_at)`;

type NewDecision = {
  id: string;
  memberId: string;
  number: number;
  eyes: number;
  outcome: ReviewOutcome;
  reasonIds: string[];
  concludes: boolean;
};

/** The review of one verification. */
export const reviewsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const own = db
    .selectFrom('verifications')
    .where('id', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  const change = db
    .updateTable('verifications')
    .where('id', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  const decided = db
    .selectFrom('review_decisions')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  return {
    /** The verdict to review, and whether a person still has to decide. Undefined if there is no such verification. */
    subject: () =>
      own
        .select(['method', 'verdict', 'erasedAt', 'completedAt', queuedAt.as('queuedAt')])
        .select(sql<boolean>`coalesce(${inQueue}, false)`.as('isInQueue'))
        .executeTakeFirst(),

    /** All decisions, in their order. */
    decisions: () =>
      decided
        .select(['id', 'memberId', 'number', 'eyes', 'outcome', 'reasonIds', 'concludes', 'recordedAt'])
        .orderBy('number')
        .execute(),

    /** True if a decision was not carried out yet. */
    isDue: async (): Promise<boolean> =>
      (await decided.select('id').where('recordedAt', 'is', null).limit(1).executeTakeFirst()) !== undefined,

    /**
     * Stores a decision if the member has the claim now, and copies the claim as proof. Returns false if the member does not have it. The
     * caller must hold a lock on the verification.
     */
    async store(decision: NewDecision): Promise<boolean> {
      const { id, memberId, number, eyes, outcome, reasonIds, concludes } = decision;
      // Times are rounded to milliseconds, so a claim that ends within this one counts as over.
      const { numAffectedRows } = await sql`
        insert into review_decisions (id, verification_id, org_id, environment, member_id, number, eyes, outcome, reason_ids,
          concludes, queued_at, claimed_at, claimed_until)
        select ${id}, claim.verification_id, claim.org_id, claim.environment, claim.member_id, ${number}::smallint,
          ${eyes}::smallint, ${outcome}, ${reasonIds}::text[], ${concludes}::boolean, ${queuedAt}, claim.claimed_at,
          claim.expires_at
        from review_claims as claim join verifications on verifications.id = claim.verification_id
        where claim.verification_id = ${verificationId} and claim.org_id = ${orgId} and claim.environment = ${environment}
          and claim.member_id = ${memberId} and claim.expires_at > now() + interval '1 millisecond'`.execute(
        db,
      );
      return numAffectedRows === 1n;
    },

    /** Builds the write that notes that all decisions so far are carried out. */
    recorded: (at: Date) =>
      db
        .updateTable('review_decisions')
        .set({ recordedAt: at })
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .where('recordedAt', 'is', null),

    /** Builds the write that replaces the verdict. */
    replaceVerdict: (verdict: Decision) => change.set({ verdict }).where('status', '=', 'completed'),

    /** Builds the write that puts a verification into the queue that a machine rejected. */
    reopen: (at: Date) => change.set({ reopenedAt: at }),
  };
};

type Lost = { after: { at: Date; id: string }; storedBefore: Date; limit: number };

/** Decisions that were stored and not carried out, oldest first (decision 36). */
export const findDueReviewsOfAnyOrganisation = (db: Db, { after, storedBefore, limit }: Lost) =>
  db
    .selectFrom('review_decisions as decision')
    .innerJoin('verifications', 'verifications.id', 'decision.verificationId')
    .select(['decision.id', 'decision.verificationId', 'decision.orgId', 'decision.environment'])
    .select(['verifications.method', 'decision.createdAt'])
    .where('decision.recordedAt', 'is', null)
    .where((eb) => eb(eb.refTuple('decision.createdAt', 'decision.id'), '>', eb.tuple(after.at, after.id)))
    .where('decision.createdAt', '<', storedBefore)
    .orderBy('decision.createdAt')
    .orderBy('decision.id')
    .limit(limit)
    .execute();

const aMinuteAgo = sql<Date>`now() - interval '1 minute'`;

/** Returns the members of `ids` about which a decision waits for its workflow, or was carried out within the last minute. */
export const reviewsAtWorkOfAnyOrganisation = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('review_decisions')
    .select('verificationId')
    .where('verificationId', 'in', ids)
    .where((eb) => eb.or([eb('recordedAt', 'is', null), eb('recordedAt', '>', aMinuteAgo)]))
    .execute();
  return rows.map(({ verificationId }) => verificationId);
};
