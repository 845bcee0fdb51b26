import { type MemberRole, memberLimits } from '#contract/members.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type Write, writeAtOnce } from '#store/database/statements.ts';
import { sessionsOf } from '#store/members/member-sessions.ts';
import { membersOf, memberWritesOf, waysInOf } from '#store/members/members.ts';
import { passkeysOf } from '#store/members/passkeys.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type Entry, nextLine } from '../ledger/append.ts';
import { type IssuedLink, issueLink } from './links.ts';

type StoreContext = Pick<Context, 'store'>;

export async function listMembers({ store }: StoreContext, caller: Caller) {
  assertMay(caller, 'members.see');
  return membersOf(caller.scope, store.db).list(memberLimits.membersPerOrganisationMax);
}

export type Member = Awaited<ReturnType<typeof listMembers>>[number];

/**
 * `unknown`: the organisation has no such member. `last_owner`: nobody could change members any more. `not_joined`: the invitation has
 * not been accepted yet, so a fresh invitation is needed. `disabled`: enable the member first. `not_disabled`: disable the member first.
 */
export type MemberRefusal = 'unknown' | 'last_owner' | 'not_joined' | 'disabled' | 'not_disabled';

type Found = NonNullable<Awaited<ReturnType<ReturnType<typeof membersOf>['find']>>>;
type Change = { type: Entry['type']; data?: Record<string, unknown>; writes: Write[] };
type ById = { id: string };

/** Carries out a change of one member, with its line in the chain of the organisation. */
async function change<Refusal extends MemberRefusal>(
  { store }: StoreContext,
  caller: Caller,
  { id }: ById,
  make: (tx: Db, scope: OrgScope, member: Found, at: Date) => Promise<Refusal | Change | 'unchanged'>,
): Promise<Refusal | 'unknown' | undefined> {
  assertMay(caller, 'members.change');
  const { actor, scope } = caller;
  return store.transaction(async (tx) => {
    const { now: at } = await membersOf(scope, tx).lockOrganisation();
    const member = await membersOf(scope, tx).find(id);
    if (member === undefined) return 'unknown';
    const made = await make(tx, scope, member, at);
    if (made === 'unchanged') return undefined;
    if (typeof made === 'string') return made;
    const data = { member_id: id, ...made.data };
    const line = await nextLine(tx, scope, { subjectId: scope.orgId, type: made.type, actor, data, at });
    await writeAtOnce(tx, [...made.writes, ...line]);
    return undefined;
  });
}

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

export const changeRole = (ctx: StoreContext, caller: Caller, order: ById & { role: MemberRole }) =>
  change<'last_owner'>(ctx, caller, order, async (tx, scope, member) => {
    if (member.role === order.role) return 'unchanged';
    if (await isLastOwner(tx, scope, member)) return 'last_owner';
    return {
      type: 'member.role_changed',
      data: { from: member.role, to: order.role },
      writes: [memberWritesOf(scope, tx).change(member.id, { role: order.role })],
    };
  });

/** Ends the sessions and the link of the member at once. */
export const disableMember = (ctx: StoreContext, caller: Caller, order: ById) =>
  change<'last_owner'>(ctx, caller, order, async (tx, scope, member, at) => {
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

export const enableMember = (ctx: StoreContext, caller: Caller, order: ById) =>
  change<never>(ctx, caller, order, async (tx, scope, member) =>
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
export const removeMember = (ctx: StoreContext, caller: Caller, order: ById) =>
  change<'not_disabled'>(ctx, caller, order, async (tx, scope, { id, disabledAt }) => {
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
  ctx: StoreContext,
  caller: Caller,
  order: ById,
): Promise<{ refused: MemberRefusal } | { link: IssuedLink }> {
  let link: IssuedLink | undefined;
  const refused = await change<'not_joined' | 'disabled'>(
    ctx,
    caller,
    order,
    async (tx, scope, member, at) => {
      if (member.joinedAt === null) return 'not_joined';
      if (member.disabledAt !== null) return 'disabled';
      const { issued, writes } = issueLink(tx, scope, {
        ...{ memberId: member.id, kind: 'reset', at },
        actor: caller.actor,
      });
      link = issued;
      return { type: 'member.reset_link_made', writes };
    },
  );
  return link === undefined ? { refused: refused ?? 'unknown' } : { link };
}
