import type { Language } from '#contract/enums.ts';
import { memberLimits } from '#contract/members.ts';
import { hashPassword } from '#platform/sign-in/password.ts';
import { isWeakPassword } from '#platform/sign-in/password-strength.ts';
import type { Turn } from '#platform/sign-in/password-turns.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { sessionsOf } from '#store/members/member-sessions.ts';
import { membersOf, memberWritesOf, waysInOf } from '#store/members/members.ts';
import { passkeysOf } from '#store/members/passkeys.ts';
import { nextLine } from '../ledger/append.ts';
import type { Device, MemberContext } from './context.ts';
import { findMemberLink, type MemberLink } from './links.ts';
import { saltedBy } from './passwords.ts';
import { beginSession } from './sessions.ts';

/** The password is too short, too long, or easy to guess. */
export type PasswordFault = 'too_short' | 'too_long' | 'weak';

/** What somebody who guesses knows of a member. */
export const wordsOf = ({ email, organisation }: { email: string; organisation: string }): string[] => [
  email,
  ...email.split(/[@.]/),
  ...(organisation === '' ? [] : [organisation]),
];

/** Nobody has such a password. It is measured as it is hashed, so that it does not depend on the keyboard. */
export const isTooShort = (password: string): boolean =>
  password.normalize('NFKC').length < memberLimits.passwordLengthMin;

/** `known` are words that a guesser knows too, such as the address of the member. */
export async function passwordFault(
  password: string,
  known: readonly string[],
  turn?: Turn,
): Promise<PasswordFault | undefined> {
  if (isTooShort(password)) return 'too_short';
  if (password.length > memberLimits.passwordLengthMax) return 'too_long';
  return (await isWeakPassword(password, known, turn)) ? 'weak' : undefined;
}

export type Accepted = { fault: PasswordFault | 'link' } | { token: string; link: MemberLink };

/**
 * Sets the password with the link, and signs in. A reset also removes the second factor, its recovery codes and the passkeys, and ends all
 * sessions, since somebody who lost the phone needs it, and somebody who took it over must lose it.
 */
export async function acceptLink(
  ctx: MemberContext,
  token: string,
  { password, language, device }: { password: string; language: Language; device: Device },
): Promise<Accepted> {
  const link = await findMemberLink(ctx, token);
  if (link === undefined) return { fault: 'link' };
  // Whoever has a link goes before strangers.
  const turn = { deadlineAt: ctx.deadlineAt, organisation: link.scope.orgId };
  const fault = await passwordFault(password, wordsOf(link), turn);
  if (fault !== undefined) return { fault };
  const passwordHash = await hashPassword(password, saltedBy(ctx, link.email), turn);
  return ctx.store.transaction(async (tx) => {
    const { scope, memberId, kind, madeBy } = link;
    const members = membersOf(scope, tx);
    const { now: at } = await members.lockOrganisation();
    await members.lockSecrets(memberId);
    // The locks make two holders of the same link wait for one another, and a sign-in for the reset. The second holder finds no link.
    if ((await findMemberLink(ctx, token, tx)) === undefined) return { fault: 'link' };
    const waysIn = waysInOf(scope, tx, memberId);
    const line = await nextLine(tx, scope, {
      subjectId: scope.orgId,
      type: kind === 'invitation' ? 'member.joined' : 'member.reset',
      actor: { kind: 'member', id: memberId },
      data: { member_id: memberId, let_in_by: madeBy },
      at,
    });
    const joined = kind === 'invitation' ? { joinedAt: at, language } : {};
    const changed = memberWritesOf(scope, tx).change(memberId, {
      passwordHash,
      totpSecret: null,
      totpStep: null,
      letInBy: madeBy,
      ...joined,
    });
    const gone = [
      ...[waysIn.dropLink(), waysIn.dropRecoveryCodes()],
      ...[passkeysOf(scope, tx, memberId).dropAll(), sessionsOf(scope, tx, memberId).endAll()],
    ];
    await writeAtOnce(tx, [changed, ...gone, ...line]);
    const session = beginSession(tx, scope, memberId, { isFull: true, device, at });
    await writeAtOnce(tx, session.writes);
    return { token: session.token, link };
  });
}
