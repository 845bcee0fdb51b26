import type { Language } from '#contract/enums.ts';
import { hashPassword, passwordMatches } from '#platform/password.ts';
import { sessionsOf } from '#store/member-sessions.ts';
import { membersOf, memberWritesOf } from '#store/members.ts';
import { writeAtOnce } from '#store/statements.ts';
import { type PasswordFault, passwordFault, wordsOf } from './accept.ts';
import type { MemberContext } from './context.ts';
import type { SignedIn } from './sessions.ts';

/** Changes how pages and times look for this member. */
export const changePreferences = async (
  { store }: Pick<MemberContext, 'store'>,
  { scopes, memberId }: SignedIn,
  preferences: { language: Language; timeZone: string | null },
): Promise<void> =>
  writeAtOnce(store.db, [memberWritesOf(scopes.live, store.db).change(memberId, preferences)]);

/** Sets a new password if the old one is right, and ends the other sessions of the member. */
export async function changePassword(
  { store }: MemberContext,
  member: SignedIn,
  given: { old: string; fresh: string },
): Promise<PasswordFault | 'wrong' | undefined> {
  const { scopes, memberId, sessionId } = member;
  const row = await store.transaction((tx) => membersOf(scopes.live, tx).lockSecrets(memberId));
  if (!(await passwordMatches(given.old, row?.passwordHash))) return 'wrong';
  const fault = await passwordFault(given.fresh, wordsOf(member));
  if (fault !== undefined) return fault;
  const passwordHash = await hashPassword(given.fresh);
  await writeAtOnce(store.db, [
    memberWritesOf(scopes.live, store.db).change(memberId, { passwordHash }),
    sessionsOf(scopes.live, store.db, memberId).endOthers(sessionId),
  ]);
  return undefined;
}
