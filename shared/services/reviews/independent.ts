import { memberLimits } from '#contract/members.ts';
import { couldBeOne } from '#policy/reviews.ts';
import type { Db } from '#store/connection.ts';
import { findLetIn } from '#store/members.ts';
import type { OrgScope } from '#store/scope.ts';
import type { Member } from './context.ts';
import { ReviewRefused } from './refused.ts';

/** Throws `not_independent` if this member could be one of those who decided before. */
export async function requireIndependent(
  db: Db,
  scope: OrgScope,
  member: Member,
  decisions: readonly { memberId: string }[],
): Promise<void> {
  if (decisions.length === 0) return;
  const letIn = await findLetIn(scope, db, memberLimits.membersPerOrganisationMax);
  if (decisions.some(({ memberId }) => couldBeOne(letIn, member.id, memberId)))
    throw new ReviewRefused('not_independent');
}
