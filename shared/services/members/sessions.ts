import type { Environment, Language } from '#contract/enums.ts';
import { type ConsoleRole, memberLimits, rolesWithSecondFactor, usualTimeZone } from '#contract/members.ts';
import { minuteMs } from '#contract/time.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfMember } from '#store/database/scope.ts';
import { type Write, writeAtOnce } from '#store/database/statements.ts';
import { sessionOfAnyOrganisation, sessionsOf } from '#store/members/member-sessions.ts';
import type { Device, MemberContext } from './context.ts';
import { lockSignedIn, ownLine } from './note.ts';
import { hashOfToken, newToken } from './tokens.ts';

/** A member who is signed in, or who gave the password and still owes the second factor. */
export type SignedIn = {
  sessionId: string;
  memberId: string;
  /** Empty for an operator. */
  organisation: string;
  email: string;
  role: ConsoleRole;
  language: Language;
  /** The zone that the member chose, else the usual one. */
  timeZone: string;
  /** False: keys without Ctrl do nothing on a page. */
  hasShortcuts: boolean;
  hasSecondFactor: boolean;
  /** What the member still has to do: give a code, or set up the second factor that the role needs. */
  owes: 'code' | 'second_factor' | undefined;
  /** The rights on rows, in each environment. */
  scopes: Record<Environment, OrgScope>;
};

type NewSession = { isFull: boolean; device: Device; at: Date };

/** Builds the writes of a session with a token of its own. A token that the browser had before never becomes a session. */
export function beginSession(
  tx: Db,
  scope: OrgScope,
  memberId: string,
  { isFull, device, at }: NewSession,
): { token: string; writes: Write[] } {
  const { token, tokenHash } = newToken();
  const minutes = isFull ? memberLimits.sessionLifetimeHours * 60 : memberLimits.halfSessionMinutes;
  const sessions = sessionsOf(scope, tx, memberId);
  const session = sessions.insert({
    id: newUuid(),
    tokenHash,
    isFull,
    userAgent: device.userAgent.slice(0, 200),
    address: device.address,
    lastSeenAt: at,
    expiresAt: new Date(at.getTime() + minutes * minuteMs),
  });
  return { token, writes: [session, sessions.removeOver(at)] };
}

/** Returns undefined if nobody is signed in with this token: it is unknown, has ended, was idle, or its member is disabled. */
export async function findSession(
  { store, clock }: Pick<MemberContext, 'store' | 'clock'>,
  token: string,
): Promise<SignedIn | undefined> {
  const row = await sessionOfAnyOrganisation(store.db, hashOfToken(token));
  if (row === undefined || row.disabledAt !== null) return undefined;
  const at = clock.now();
  const idleMs = at.getTime() - row.lastSeenAt.getTime();
  if (row.expiresAt <= at || idleMs > memberLimits.sessionIdleMinutes * minuteMs) return undefined;
  const { id: sessionId, orgId, isFull, memberId, hasSecondFactor, role } = row;
  const scopes = {
    sandbox: scopeOfMember({ orgId, environment: 'sandbox' }),
    live: scopeOfMember({ orgId, environment: 'live' }),
  };
  if (idleMs > minuteMs) await sessionsOf(scopes.live, store.db, memberId).seen(sessionId, at);
  const { organisation, email, language, timeZone, hasShortcuts } = row;
  const needsOne = rolesWithSecondFactor.includes(role) && !hasSecondFactor;
  const owes = isFull ? (needsOne ? 'second_factor' : undefined) : 'code';
  return {
    sessionId,
    memberId,
    organisation,
    email,
    role,
    language,
    timeZone: timeZone ?? usualTimeZone,
    hasShortcuts,
    hasSecondFactor,
    owes,
    scopes,
  };
}

/** The browsers in which the member is signed in, newest first. */
export const listSessions = ({ store }: Pick<MemberContext, 'store'>, { scopes, memberId }: SignedIn) =>
  sessionsOf(scopes.live, store.db, memberId).list(50);

/** Ends one session of the member. Nothing happens if it is not the member's, or has ended. */
export const endSession = (
  { store }: Pick<MemberContext, 'store'>,
  member: SignedIn,
  id: string,
): Promise<void> =>
  store.transaction(async (tx) => {
    const { scopes, memberId, sessionId } = member;
    const locked = await lockSignedIn(tx, member);
    const sessions = sessionsOf(scopes.live, tx, memberId);
    if (locked === undefined || !(await sessions.isOpen(id))) return;
    const type = id === sessionId ? 'account.signed_out' : 'account.session_ended';
    const line = await ownLine(tx, scopes.live, memberId, { type, at: locked.now });
    await writeAtOnce(tx, [sessions.endOne(id), ...line]);
  });

/** Returns false if this session has sent this form before, or has ended meanwhile. */
export const useForm = (
  { store }: Pick<MemberContext, 'store'>,
  { scopes, memberId, sessionId }: SignedIn,
  nonce: Buffer,
): Promise<boolean> => sessionsOf(scopes.live, store.db, memberId).useForm(sessionId, nonce);
