import { fourEyesDays, memberLimits, rolesThatDecide } from '#contract/members.ts';
import { type AccessGiven, couldActForOther } from '#policy/reviews.ts';
import type { Db, Store } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { findAccessGiven, membersOf } from '#store/members/members.ts';
import { settingsOf } from '#store/organisations/settings.ts';
import { assertMay, type Caller } from '../caller.ts';
import { ReviewRefused } from './refused.ts';

/** Throws `not_independent` if this member could have acted for one of those who decided before. */
export async function requireIndependent(
  db: Db,
  scope: OrgScope,
  memberId: string,
  decisions: readonly { memberId: string }[],
): Promise<void> {
  if (decisions.length === 0) return;
  const given = await findAccessGiven(scope, db, fourEyesDays);
  if (decisions.some((earlier) => couldActForOther(given, memberId, earlier.memberId)))
    throw new ReviewRefused('not_independent');
}

/** Which of these members got access from another one of late, and from whom. For the line of their review. */
export async function accessOf(
  db: Db,
  scope: OrgScope,
  memberIds: readonly string[],
): Promise<(memberId: string) => string[]> {
  const given: AccessGiven[] = memberIds.length > 1 ? await findAccessGiven(scope, db, fourEyesDays) : [];
  return (memberId) => [...new Set(given.filter(({ to }) => to === memberId).map(({ by }) => by))].sort();
}

/** True if two members must agree on a decision, and no two could today. */
export async function lacksFourEyes(
  { store }: { store: Pick<Store, 'db'> },
  caller: Caller,
): Promise<boolean> {
  assertMay(caller, 'organisation.see');
  const { db } = store;
  const { scope } = caller;
  if ((await settingsOf(scope, db).reviewEyes()) < 2) return false;
  const members = await membersOf(scope, db).list(memberLimits.membersPerOrganisationMax);
  const deciding = members.filter(
    ({ role, joinedAt, disabledAt }) =>
      joinedAt !== null && disabledAt === null && rolesThatDecide.some((each) => each === role),
  );
  const given = await findAccessGiven(scope, db, fourEyesDays);
  return !deciding.some((one, place) =>
    deciding.slice(place + 1).some((other) => !couldActForOther(given, one.id, other.id)),
  );
}
