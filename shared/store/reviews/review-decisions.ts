import { sql } from 'kysely';
import type { ReviewOutcome } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { queuedAt } from './reviews.ts';

type NewDecision = {
  id: string;
  memberId: string;
  number: number;
  eyes: number;
  outcome: ReviewOutcome;
  reasonIds: string[];
  /** Sealed. */
  note: Buffer | null;
  concludes: boolean;
  /** The member can take it back for so long. */
  heldMs: number;
};

/** The time until a decision is due, rounded up. 0: it is. */
const dueInMs = sql<number>`greatest(coalesce(ceil(extract(epoch from due_at - now()) * 1000), 0), 0)::int`;

/** The decisions of members about one verification. */
export const reviewDecisionsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => {
  const decided = db
    .selectFrom('review_decisions')
    .where('verificationId', '=', verificationId)
    .where('orgId', '=', orgId)
    .where('environment', '=', environment);
  return {
    /** All decisions, in their order. */
    decisions: () =>
      decided
        .select(['id', 'memberId', 'number', 'eyes', 'outcome', 'reasonIds', 'concludes', 'recordedAt'])
        .select(dueInMs.as('dueInMs'))
        .orderBy('number')
        .execute(),

    /** The time until the first decision that was not carried out is due. Undefined if there is none. */
    dueInMs: async (): Promise<number | undefined> =>
      (
        await decided
          .select(dueInMs.as('dueInMs'))
          .where('recordedAt', 'is', null)
          .orderBy('number')
          .limit(1)
          .executeTakeFirst()
      )?.dueInMs,

    /**
     * Stores a decision if the member has the claim now, and copies the claim as proof. Returns false if the member does not have it. The
     * caller must hold a lock on the verification.
     */
    async store(decision: NewDecision): Promise<boolean> {
      const { id, memberId, number, eyes, outcome, reasonIds, note, concludes, heldMs } = decision;
      // Times are rounded to milliseconds, so a claim that ends within this one counts as over.
      const { numAffectedRows } = await sql`
        insert into review_decisions (id, verification_id, org_id, environment, member_id, number, eyes, outcome, reason_ids, note,
          concludes, queued_at, claimed_at, claimed_until, due_at)
        select ${id}, claim.verification_id, claim.org_id, claim.environment, claim.member_id, ${number}::smallint,
          ${eyes}::smallint, ${outcome}, ${reasonIds}::text[], ${note}::bytea, ${concludes}::boolean, ${queuedAt}, claim.claimed_at,
          claim.expires_at, now() + ${heldMs} * interval '1 millisecond'
        from review_claims as claim join verifications on verifications.id = claim.verification_id
        where claim.verification_id = ${verificationId} and claim.org_id = ${orgId} and claim.environment = ${environment}
          and claim.member_id = ${memberId} and claim.expires_at > now() + interval '1 millisecond'`.execute(
        db,
      );
      return numAffectedRows === 1n;
    },

    /** Builds the write that notes that the decisions up to this number are carried out. */
    recorded: (at: Date, number: number) =>
      db
        .updateTable('review_decisions')
        .set({ recordedAt: at })
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .where('recordedAt', 'is', null)
        .where('number', '<=', number),

    /** Builds the write that takes a decision back that was not carried out. */
    takeBack: (id: string) =>
      db
        .deleteFrom('review_decisions')
        .where('id', '=', id)
        .where('verificationId', '=', verificationId)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .where('recordedAt', 'is', null),
  };
};

/** What the members wrote about one verification, sealed. */
export const reviewNotesOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /** In the order of their decisions. */
  async all() {
    const rows = await db
      .selectFrom('review_decisions')
      .select(['id', 'memberId', 'outcome', 'note'])
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .orderBy('number')
      .execute();
    return rows.flatMap(({ note, ...decision }) => (note === null ? [] : [{ ...decision, note }]));
  },

  /** Builds the write that removes them. */
  erase: () =>
    db
      .updateTable('review_decisions')
      .set({ note: null })
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('note', 'is not', null),
});

type Lost = { after: { at: Date; id: string }; storedBefore: Date; limit: number };

/** Decisions that were stored and not carried out, oldest first (decision 36). */
export const findDueReviewsOfAnyOrganisation = (db: Db, { after, storedBefore, limit }: Lost) =>
  db
    .selectFrom('review_decisions as decision')
    .innerJoin('verifications', 'verifications.id', 'decision.verificationId')
    .select(['decision.id', 'decision.verificationId', 'decision.orgId', 'decision.environment'])
    .select(['verifications.method', 'decision.createdAt'])
    .where('decision.recordedAt', 'is', null)
    .where((eb) => eb.or([eb('dueAt', 'is', null), eb('dueAt', '<', sql<Date>`now()`)]))
    .where((eb) => eb(eb.refTuple('decision.createdAt', 'decision.id'), '>', eb.tuple(after.at, after.id)))
    .where('decision.createdAt', '<', storedBefore)
    .orderBy('decision.createdAt')
    .orderBy('decision.id')
    .limit(limit)
    .execute();

const aMinuteAgo = sql<Date>`now() - interval '1 minute'`;

/**
 * Returns the members of `ids` about which a decision waits for its workflow, was carried out within the last minute, or was taken back
 * within it: the claim that the member then has is as new.
 */
export const reviewsAtWorkOfAnyOrganisation = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('review_decisions')
    .select('verificationId')
    .where('verificationId', 'in', ids)
    .where((eb) => eb.or([eb('recordedAt', 'is', null), eb('recordedAt', '>', aMinuteAgo)]))
    .union(
      db
        .selectFrom('review_claims')
        .select('verificationId')
        .where('verificationId', 'in', ids)
        .where('claimedAt', '>', aMinuteAgo),
    )
    .execute();
  return rows.map(({ verificationId }) => verificationId);
};
