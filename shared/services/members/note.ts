import type { Db, Store } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type Write, writeAtOnce } from '#store/database/statements.ts';
import { sessionsOf } from '#store/members/member-sessions.ts';
import { membersOf } from '#store/members/members.ts';
import { type Entry, nextLine } from '../ledger/append.ts';

type OwnAct = Extract<Entry['type'], `account.${string}`>;

type OpenSession = { scopes: { live: OrgScope }; memberId: string; sessionId: string };

type LockedMember = NonNullable<Awaited<ReturnType<ReturnType<typeof membersOf>['lockSecrets']>>>;

/**
 * Locks the chain of a member, whose lines the caller's transaction writes with `ownLine`, and reads what there is to sign in with.
 * Undefined if the member was disabled or removed meanwhile.
 */
export async function lockOwnChain(
  tx: Db,
  scope: OrgScope,
  memberId: string,
): Promise<LockedMember | undefined> {
  const row = await membersOf(scope, tx).lockSecrets(memberId);
  return row?.disabledAt === null ? row : undefined;
}

/**
 * The same for a member who is signed in. Undefined also if this session has ended meanwhile: a reset or another password ends it, and
 * what it asked for before must not come after. With `proven`, the hash of the password that was right before, undefined also if the
 * member has another one now.
 */
export async function lockSignedIn(
  tx: Db,
  { scopes, memberId, sessionId }: OpenSession,
  proven?: string,
): Promise<LockedMember | undefined> {
  const row = await lockOwnChain(tx, scopes.live, memberId);
  if (proven !== undefined && row?.passwordHash !== proven) return undefined;
  return (await sessionsOf(scopes.live, tx, memberId).isOpen(sessionId)) ? row : undefined;
}

/**
 * Builds the line of what a member did with the own account. Such lines form a chain of their own for each member, so that sign-ins do
 * not wait for one another. The caller holds the lock on the member.
 */
export const ownLine = (
  tx: Db,
  scope: OrgScope,
  memberId: string,
  { type, at, data = {} }: { type: OwnAct; at: Date; data?: Record<string, unknown> },
): Promise<Write[]> =>
  nextLine(tx, scope, { subjectId: memberId, type, actor: { kind: 'member', id: memberId }, data, at });

/** Writes the line of something that changed nothing, such as a wrong code. */
export const noteOwn = (
  { store }: { store: Store },
  member: OpenSession,
  type: OwnAct,
  data?: Record<string, unknown>,
): Promise<void> =>
  store.transaction(async (tx) => {
    const locked = await lockSignedIn(tx, member);
    if (locked === undefined) return;
    const { scopes, memberId } = member;
    await writeAtOnce(
      tx,
      await ownLine(tx, scopes.live, memberId, { type, at: locked.now, ...(data && { data }) }),
    );
  });
