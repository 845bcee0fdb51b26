import type { Language } from '#contract/enums.ts';
import { hashPassword, passwordMatches } from '#platform/password.ts';
import { sessionsOf } from '#store/member-sessions.ts';
import { membersOf, memberWritesOf } from '#store/members.ts';
import { writeAtOnce } from '#store/statements.ts';
import { type PasswordFault, passwordFault, wordsOf } from './accept.ts';
import type { MemberContext } from './context.ts';
import { lockSignedIn, ownLine } from './note.ts';
import type { SignedIn } from './sessions.ts';

/** Changes how pages and times look for this member. Nothing happens if the session has ended meanwhile. */
export const changePreferences = (
  { store }: Pick<MemberContext, 'store'>,
  member: SignedIn,
  preferences: { language: Language; timeZone: string | null },
): Promise<void> =>
  store.transaction(async (tx) => {
    const { scopes, memberId } = member;
    const locked = await lockSignedIn(tx, member);
    if (locked === undefined) return;
    const scope = scopes.live;
    const line = await ownLine(tx, scope, memberId, { type: 'account.preferences_changed', at: locked.now });
    await writeAtOnce(tx, [memberWritesOf(scope, tx).change(memberId, preferences), ...line]);
  });

/** True if this is the present password of the member. Asked again before somebody at an open desk could stay inside for ever. */
export async function isOwnPassword(
  { store }: Pick<MemberContext, 'store'>,
  { scopes, memberId }: SignedIn,
  password: string,
): Promise<boolean> {
  const row = await store.transaction((tx) => membersOf(scopes.live, tx).lockSecrets(memberId));
  return passwordMatches(password, row?.passwordHash);
}

/** Sets a new password if the old one is right and the session is still open, and ends the other sessions of the member. */
export async function changePassword(
  { store }: MemberContext,
  member: SignedIn,
  given: { old: string; fresh: string },
): Promise<PasswordFault | 'wrong' | undefined> {
  const {
    scopes: { live: scope },
    memberId,
    sessionId,
  } = member;
  if (!(await isOwnPassword({ store }, member, given.old))) return 'wrong';
  const fault = await passwordFault(given.fresh, wordsOf(member));
  if (fault !== undefined) return fault;
  const passwordHash = await hashPassword(given.fresh);
  return store.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, member);
    if (locked === undefined) return 'wrong';
    const line = await ownLine(tx, scope, memberId, { type: 'account.password_changed', at: locked.now });
    const changed = memberWritesOf(scope, tx).change(memberId, { passwordHash });
    await writeAtOnce(tx, [changed, sessionsOf(scope, tx, memberId).endOthers(sessionId), ...line]);
    return undefined;
  });
}
