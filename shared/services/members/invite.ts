import { type ConsoleRole, memberLimits, operatorsId } from '#contract/members.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { findEver, membersOf, memberWritesOf } from '#store/members/members.ts';
import { ensureOperators } from '#store/organisations/organisations.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { nextLine } from '../ledger/append.ts';
import { type IssuedLink, issueLink } from './links.ts';

export type Invitation = { refused: 'member' | 'too_many' } | { memberId: string; link: IssuedLink };

/**
 * Makes a member who can set a password with the link. Nothing is sent: somebody hands the link over. Inviting the same address again
 * before the invitation is accepted makes a fresh link, with the role of the newest invitation. A member of the operators' own row is an
 * operator.
 */
export async function invite(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { email, role }: { email: string; role: ConsoleRole },
): Promise<Invitation> {
  assertMay(caller, 'members.change');
  const { actor, scope } = caller;
  return store.transaction(async (tx) => {
    if (scope.orgId === operatorsId) await ensureOperators(tx);
    const members = membersOf(scope, tx);
    const { now: at } = await members.lockOrganisation();
    const before = await members.findByEmail(email);
    if (before !== undefined && (before.joinedAt !== null || before.disabledAt !== null))
      return { refused: 'member' };
    // Those who were removed count too, because their rows stay.
    const max = memberLimits.membersPerOrganisationMax;
    if (before === undefined && (await findEver(scope, tx, max)).length >= max)
      return { refused: 'too_many' };
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
    const { issued, writes } = issueLink(tx, scope, { memberId, kind: 'invitation', at, actor });
    // The link refers to the member, so the member comes first.
    await member.execute();
    await writeAtOnce(tx, [...writes, ...line]);
    return { memberId, link: issued };
  });
}
