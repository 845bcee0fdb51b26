import { sql } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Db } from '../database/connection.ts';
import type { OrgScope } from '../database/scope.ts';
import { inQueue } from './reviews.ts';

/** The claim on one verification of the review queue. */
export const reviewClaimsOf = ({ orgId, environment }: OrgScope, db: Db, verificationId: string) => ({
  /**
   * Gives the verification to this member for `limits.reviewClaimMinutes`, or extends the member's claim. Returns undefined if another
   * member has it, if the member has decided already, or if nobody has to decide any more. It is one statement, so of two members one
   * gets it. It waits for whoever holds a lock on the verification. `isNew` is false if it only extends a claim.
   */
  async claim(memberId: string): Promise<{ expiresAt: Date; isNew: boolean } | undefined> {
    const { rows } = await sql<{ expiresAt: Date; isNew: boolean }>`
      with wanted as (
        select id from verifications
        where id = ${verificationId} and org_id = ${orgId} and environment = ${environment} and ${inQueue}
        for share)
      insert into review_claims as claim (verification_id, org_id, environment, member_id, expires_at)
      select id, ${orgId}, ${environment}, ${memberId}, now() + ${limits.reviewClaimMinutes} * interval '1 minute'
      from wanted
      where not exists (
        select from review_decisions
        where verification_id = wanted.id and (concludes or member_id = ${memberId}))
      on conflict (verification_id) do update set member_id = excluded.member_id, expires_at = excluded.expires_at,
        claimed_at = case
          when claim.member_id = excluded.member_id and claim.expires_at > now() then claim.claimed_at
          else excluded.claimed_at end
      where claim.member_id = excluded.member_id or claim.expires_at <= now()
      returning expires_at as "expiresAt", claimed_at = now()::timestamptz(3) as "isNew"`.execute(db);
    return rows[0];
  },

  /** Returns false if the member did not have the claim. */
  async release(memberId: string): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('review_claims')
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('memberId', '=', memberId)
      .executeTakeFirstOrThrow();
    return numDeletedRows > 0n;
  },

  /** True if this member has the claim now. */
  holds: async (memberId: string): Promise<boolean> =>
    (await db
      .selectFrom('review_claims')
      .select('verificationId')
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment)
      .where('memberId', '=', memberId)
      .where('expiresAt', '>', sql<Date>`now()`)
      .executeTakeFirst()) !== undefined,

  /** Builds the write that ends the claim, whoever has it. */
  end: () =>
    db
      .deleteFrom('review_claims')
      .where('verificationId', '=', verificationId)
      .where('orgId', '=', orgId)
      .where('environment', '=', environment),
});
