import { type MemberRole, memberLimits } from '#contract/members.ts';
import type { Db, Store } from '#store/connection.ts';
import { sessionsOf } from '#store/member-sessions.ts';
import { membersOf, memberWritesOf, waysInOf } from '#store/members.ts';
import { passkeysOf } from '#store/passkeys.ts';
import type { OrgScope } from '#store/scope.ts';
import { type Write, writeAtOnce } from '#store/statements.ts';
import { type Actor, type Entry, nextLine } from '../ledger/append.ts';
import { type IssuedLink, issueLink } from './links.ts';

export const listMembers = ({ db }: Pick<Store, 'db'>, scope: OrgScope) =>
  membersOf(scope, db).list(memberLimits.membersPerOrganisationMax);

export type Member = Awaited<ReturnType<typeof listMembers>>[number];

/**
 * `unknown`: the organisation has no such member. `last_owner`: nobody could change members any more. `not_joined`: the invitation has
 * not been accepted yet, so a fresh invitation is needed. `disabled`: enable the member first. `not_disabled`: disable the member first.
 */
export type MemberRefusal = 'unknown' | 'last_owner' | 'not_joined' | 'disabled' | 'not_disabled';

type Found = NonNullable<Awaited<ReturnType<ReturnType<typeof membersOf>['find']>>>;
type Change = { type: Entry['type']; data?: Record<string, unknown>; writes: Write[] };
type Order = { id: string; actor: Actor };

/** Carries out a change of one member, with its line in the chain of the organisation. */
const change = <Refusal extends MemberRefusal>(
  store: Store,
  scope: OrgScope,
  { id, actor }: Order,
  make: (tx: Db, member: Found, at: Date) => Promise<Refusal | Change | 'unchanged'>,
): Promise<Refusal | 'unknown' | undefined> =>
  store.transaction(async (tx) => {
    const { now: at } = await membersOf(scope, tx).lockOrganisation();
    const member = await membersOf(scope, tx).find(id);
    if (member === undefined) return 'unknown';
    const made = await make(tx, member, at);
    if (made === 'unchanged') return undefined;
    if (typeof made === 'string') return made;
    const data = { member_id: id, ...made.data };
    const line = await nextLine(tx, scope, { subjectId: scope.orgId, type: made.type, actor, data, at });
    await writeAtOnce(tx, [...made.writes, ...line]);
    return undefined;
  });

/** True if the organisation would have nobody left who can change members. */
const isLastOwner = async (
  tx: Db,
  scope: OrgScope,
  { id, role, disabledAt, joinedAt }: Found,
): Promise<boolean> =>
  role === 'owner' &&
  disabledAt === null &&
  joinedAt !== null &&
  (await membersOf(scope, tx).otherOwners(id)).length === 0;

export const changeRole = (store: Store, scope: OrgScope, order: Order & { role: MemberRole }) =>
  change<'last_owner'>(store, scope, order, async (tx, member) => {
    if (member.role === order.role) return 'unchanged';
    if (await isLastOwner(tx, scope, member)) return 'last_owner';
    return {
      type: 'member.role_changed',
      data: { from: member.role, to: order.role },
      writes: [memberWritesOf(scope, tx).change(member.id, { role: order.role })],
    };
  });

/** Ends the sessions and the link of the member at once. */
export const disableMember = (store: Store, scope: OrgScope, order: Order) =>
  change<'last_owner'>(store, scope, order, async (tx, member, at) => {
    if (member.disabledAt !== null) return 'unchanged';
    if (await isLastOwner(tx, scope, member)) return 'last_owner';
    return {
      type: 'member.disabled',
      writes: [
        memberWritesOf(scope, tx).change(member.id, { disabledAt: at }),
        sessionsOf(scope, tx, member.id).endAll(),
        waysInOf(scope, tx, member.id).dropLink(),
      ],
    };
  });

export const enableMember = (store: Store, scope: OrgScope, order: Order) =>
  change<never>(store, scope, order, async (tx, member) =>
    member.disabledAt === null
      ? 'unchanged'
      : {
          type: 'member.enabled',
          writes: [memberWritesOf(scope, tx).change(member.id, { disabledAt: null })],
        },
  );

/**
 * Empties what is stored of a disabled member: the address, the ways to sign in, and what was set up. Id, role and times stay, for the
 * history and because they say who let in whom. It cannot be undone; the same address can be invited again, as another member.
 */
export const removeMember = (store: Store, scope: OrgScope, order: Order) =>
  change<'not_disabled'>(store, scope, order, async (tx, { id, disabledAt }) => {
    if (disabledAt === null) return 'not_disabled';
    return {
      type: 'member.removed',
      writes: [
        memberWritesOf(scope, tx).change(id, {
          ...{ email: null, passwordHash: null, totpSecret: null, totpStep: null, timeZone: null },
        }),
        sessionsOf(scope, tx, id).endAll(),
        waysInOf(scope, tx, id).dropLink(),
        waysInOf(scope, tx, id).dropRecoveryCodes(),
        passkeysOf(scope, tx, id).dropAll(),
      ],
    };
  });

/** Makes a link with which the member sets a new password and a new second factor. Until it is used, nothing changes. */
export async function makeResetLink(
  store: Store,
  scope: OrgScope,
  order: Order,
): Promise<{ refused: MemberRefusal } | { link: IssuedLink }> {
  let link: IssuedLink | undefined;
  const refused = await change<'not_joined' | 'disabled'>(store, scope, order, async (tx, member, at) => {
    if (member.joinedAt === null) return 'not_joined';
    if (member.disabledAt !== null) return 'disabled';
    const { issued, writes } = issueLink(tx, scope, {
      ...{ memberId: member.id, kind: 'reset', at },
      actor: order.actor,
    });
    link = issued;
    return { type: 'member.reset_link_made', writes };
  });
  return link === undefined ? { refused: refused ?? 'unknown' } : { link };
}
