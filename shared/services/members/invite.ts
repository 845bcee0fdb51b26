import { type MemberRole, memberLimits } from '#contract/members.ts';
import { newUuid } from '#platform/crypto.ts';
import type { Db, Store } from '#store/connection.ts';
import { membersOf, memberWritesOf } from '#store/members.ts';
import { ensureOrganisation } from '#store/organisations.ts';
import { type OrgScope, scopeOfOperator } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { type Actor, nextLine } from '../ledger/append.ts';
import { type IssuedLink, issueLink } from './links.ts';

type Wanted = { email: string; role: MemberRole };

export type Invitation = { refused: 'member' | 'too_many' } | { memberId: string; link: IssuedLink };

/**
 * Makes a member who can set a password with the link. Nothing is sent: somebody hands the link over. Inviting the same address again
 * before the invitation is accepted makes a fresh link, with the role of the newest invitation.
 */
export const invite = (store: Store, scope: OrgScope, wanted: Wanted, actor: Actor): Promise<Invitation> =>
  store.transaction((tx) => inviteIn(tx, scope, wanted, actor));

/** The operator's invitation makes the organisation too, if it does not exist. */
export const inviteByOperator = (
  store: Store,
  organisation: string,
  wanted: Wanted,
  actor: Actor = { kind: 'operator' },
): Promise<Invitation> =>
  store.transaction(async (tx) => {
    const orgId = await ensureOrganisation(tx, organisation);
    return inviteIn(tx, scopeOfOperator({ orgId, environment: 'live' }), wanted, actor);
  });

async function inviteIn(tx: Db, scope: OrgScope, { email, role }: Wanted, actor: Actor): Promise<Invitation> {
  const members = membersOf(scope, tx);
  const { now: at } = await members.lockOrganisation();
  const before = await members.findByEmail(email);
  if (before !== undefined && (before.joinedAt !== null || before.disabledAt !== null))
    return { refused: 'member' };
  const max = memberLimits.membersPerOrganisationMax;
  if (before === undefined && (await members.list(max)).length >= max) return { refused: 'too_many' };
  const memberId = before?.id ?? newUuid();
  const line = await nextLine(tx, scope, {
    subjectId: scope.orgId,
    type: 'member.invited',
    actor,
    data: { member_id: memberId, role },
    at,
  });
  const member =
    before === undefined
      ? memberWritesOf(scope, tx).insert({ id: memberId, email, role })
      : memberWritesOf(scope, tx).change(memberId, { role });
  const { issued, writes } = issueLink(tx, scope, { memberId, kind: 'invitation', at });
  // The link refers to the member, so the member comes first.
  await member.execute();
  await writeAtOnce(tx, [...writes, ...line]);
  return { memberId, link: issued };
}
