import { sql } from 'kysely';
import type { Outcome } from '#contract/enums.ts';
import type { Db } from '../database/connection.ts';
import { comesAfter } from '../database/paging.ts';
import type { OrgScope } from '../database/scope.ts';

/** What one member decided, newest first. `verdict` is the outcome of the verification as it is now. */
export const ownDecisionsOf = ({ orgId, environment }: OrgScope, db: Db, memberId: string) => {
  const own = { orgId, environment, memberId };
  return {
    newest: ({ limit, after }: { limit: number; after: string | undefined }) =>
      db
        .selectFrom('review_decisions')
        .innerJoin('verifications', 'verifications.id', 'review_decisions.verificationId')
        .select(['review_decisions.id', 'verificationId', 'outcome', 'review_decisions.createdAt'])
        .select(['verifications.reference', 'verifications.method'])
        .select(sql<Outcome | null>`verdict->>'outcome'`.as('verdict'))
        .where('review_decisions.orgId', '=', orgId)
        .where('review_decisions.environment', '=', environment)
        .where('review_decisions.memberId', '=', memberId)
        .$if(after !== undefined, (query) => query.where(comesAfter('review_decisions', after ?? '', own)))
        .orderBy('review_decisions.createdAt', 'desc')
        .orderBy('review_decisions.id', 'desc')
        .limit(limit)
        .execute(),

    find: (id: string) =>
      db
        .selectFrom('review_decisions')
        .select('id')
        .where('id', '=', id)
        .where('orgId', '=', orgId)
        .where('environment', '=', environment)
        .where('memberId', '=', memberId)
        .executeTakeFirst(),
  };
};
