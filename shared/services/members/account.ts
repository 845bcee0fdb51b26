import type { Language } from '#contract/enums.ts';
import { hashPassword, passwordMatches } from '#platform/sign-in/password.ts';
import type { Turn } from '#platform/sign-in/password-turns.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { sessionsOf } from '#store/members/member-sessions.ts';
import { membersOf, memberWritesOf } from '#store/members/members.ts';
import { isTooShort, type PasswordFault, passwordFault, wordsOf } from './accept.ts';
import type { Device, MemberContext } from './context.ts';
import { lockSignedIn, noteOwn, ownLine } from './note.ts';
import { saltedBy } from './passwords.ts';
import { beginSession, type SignedIn } from './sessions.ts';

/** Changes how pages and times look for this member. Nothing happens if the session has ended meanwhile. */
export const changePreferences = (
  { store }: Pick<MemberContext, 'store'>,
  member: SignedIn,
  preferences: { language: Language; timeZone: string | null; hasShortcuts: boolean },
): Promise<void> =>
  store.transaction(async (tx) => {
    const { scopes, memberId } = member;
    const locked = await lockSignedIn(tx, member);
    if (locked === undefined) return;
    const scope = scopes.live;
    const line = await ownLine(tx, scope, memberId, { type: 'account.preferences_changed', at: locked.now });
    await writeAtOnce(tx, [memberWritesOf(scope, tx).change(memberId, preferences), ...line]);
  });

/**
 * Returns the stored hash if this is the present password of the member. A wrong one is a line. It is asked again before somebody at an
 * open desk could stay inside for ever. What follows it compares the hash once more under the lock, since another password may have come
 * between.
 */
export async function provenPassword(
  ctx: MemberContext,
  member: SignedIn,
  password: string,
): Promise<string | undefined> {
  const { scopes, memberId } = member;
  const row = await ctx.store.transaction((tx) => membersOf(scopes.live, tx).lockSecrets(memberId));
  const stored = row?.passwordHash ?? undefined;
  const isPossible = stored !== undefined && !isTooShort(password);
  if (isPossible && (await passwordMatches(password, stored, turnOf(ctx, member)))) return stored;
  await noteOwn(ctx, member, 'account.password_refused');
  return undefined;
}

/** Somebody who is signed in, or has a link, goes before strangers. */
const turnOf = ({ deadlineAt }: MemberContext, { scopes }: Pick<SignedIn, 'scopes'>): Turn => ({
  deadlineAt,
  organisation: scopes.live.orgId,
});

/**
 * Sets a new password if the old one is right and the session is still open. All sessions of the member end, and this browser gets a new
 * one, so that a copied cookie is of no use either.
 */
export async function changePassword(
  ctx: MemberContext,
  member: SignedIn,
  given: { old: string; fresh: string; device: Device },
): Promise<PasswordFault | 'wrong' | { token: string }> {
  const {
    scopes: { live: scope },
    memberId,
  } = member;
  const proven = await provenPassword(ctx, member, given.old);
  if (proven === undefined) return 'wrong';
  const turn = turnOf(ctx, member);
  const fault = await passwordFault(given.fresh, wordsOf(member), turn);
  if (fault !== undefined) return fault;
  const passwordHash = await hashPassword(given.fresh, saltedBy(ctx, member.email), turn);
  return ctx.store.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, member, proven);
    if (locked === undefined) return 'wrong';
    const { now: at } = locked;
    const line = await ownLine(tx, scope, memberId, { type: 'account.password_changed', at });
    const changed = memberWritesOf(scope, tx).change(memberId, { passwordHash });
    await writeAtOnce(tx, [changed, sessionsOf(scope, tx, memberId).endAll(), ...line]);
    const session = beginSession(tx, scope, memberId, { isFull: true, device: given.device, at });
    await writeAtOnce(tx, session.writes);
    return { token: session.token };
  });
}
