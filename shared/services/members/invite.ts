import { type ConsoleRole, type MemberRole, memberLimits, operatorsId } from '#contract/members.ts';
import { newUuid } from '#platform/crypto.ts';
import type { Db, Store } from '#store/connection.ts';
import { findEver, membersOf, memberWritesOf } from '#store/members.ts';
import { ensureOperators, ensureOrganisation, findOrganisation } from '#store/organisations.ts';
import { type OrgScope, scopeOfOperator } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import { type Actor, nextLine } from '../ledger/append.ts';
import { type IssuedLink, issueLink } from './links.ts';
import { disableMember, makeResetLink, removeMember } from './manage.ts';

type Wanted<Role extends ConsoleRole = ConsoleRole> = { email: string; role: Role };

export type Invitation = { refused: 'member' | 'too_many' } | { memberId: string; link: IssuedLink };

/**
 * Makes a member who can set a password with the link. Nothing is sent: somebody hands the link over. Inviting the same address again
 * before the invitation is accepted makes a fresh link, with the role of the newest invitation.
 */
export const invite = (store: Store, scope: OrgScope, wanted: Wanted, actor: Actor): Promise<Invitation> =>
  store.transaction((tx) => inviteIn(tx, scope, wanted, actor));

/** Somebody with the operator's commands. */
const theOperator: Actor = { kind: 'operator' };

const scopeOfOperators = () => scopeOfOperator({ orgId: operatorsId, environment: 'live' });

/** Makes somebody an operator, who belongs to no organisation. */
export const inviteOperator = (store: Store, email: string): Promise<Invitation> =>
  store.transaction(async (tx) => {
    await ensureOperators(tx);
    return inviteIn(tx, scopeOfOperators(), { email, role: 'operator' }, theOperator);
  });

/** The operator's invitation makes the organisation too, if it does not exist. */
export const inviteByOperator = (
  store: Store,
  organisation: string,
  wanted: Wanted<MemberRole>,
  actor: Actor = theOperator,
): Promise<Invitation> =>
  store.transaction(async (tx) => {
    const orgId = await ensureOrganisation(tx, organisation);
    return inviteIn(tx, scopeOfOperator({ orgId, environment: 'live' }), wanted, actor);
  });

/**
 * Makes a reset link for a member whom nobody else can help, such as an only owner who lost password and phone. Nothing changes until it
 * is used. `unknown`: no such organisation, or no such member in it.
 */
export async function resetByOperator(
  store: Store,
  organisation: string,
  email: string,
): Promise<Awaited<ReturnType<typeof makeResetLink>>> {
  const orgId = await findOrganisation(store, organisation);
  if (orgId === undefined) return { refused: 'unknown' };
  return resetIn(store, scopeOfOperator({ orgId, environment: 'live' }), email);
}

/** Makes a reset link for another operator. */
export const resetOperator = (store: Store, email: string): ReturnType<typeof resetByOperator> =>
  resetIn(store, scopeOfOperators(), email);

async function resetIn(
  store: Store,
  scope: OrgScope,
  email: string,
): Promise<Awaited<ReturnType<typeof makeResetLink>>> {
  const member = await membersOf(scope, store.db).findByEmail(email);
  if (member === undefined) return { refused: 'unknown' };
  return makeResetLink(store, scope, { id: member.id, actor: theOperator });
}

/**
 * Ends the sessions of an operator, and empties what is stored of them. Returns false if nobody with this address is an operator. If it
 * stops half-way, the operator is disabled, and a repetition does the rest.
 */
export async function removeOperator(store: Store, email: string): Promise<boolean> {
  const scope = scopeOfOperators();
  const member = await membersOf(scope, store.db).findByEmail(email);
  if (member === undefined) return false;
  const order = { id: member.id, actor: theOperator };
  await disableMember(store, scope, order);
  await removeMember(store, scope, order);
  return true;
}

async function inviteIn(tx: Db, scope: OrgScope, { email, role }: Wanted, actor: Actor): Promise<Invitation> {
  const members = membersOf(scope, tx);
  const { now: at } = await members.lockOrganisation();
  const before = await members.findByEmail(email);
  if (before !== undefined && (before.joinedAt !== null || before.disabledAt !== null))
    return { refused: 'member' };
  // Those who were removed count too, because their rows stay.
  const max = memberLimits.membersPerOrganisationMax;
  if (before === undefined && (await findEver(scope, tx, max)).length >= max) return { refused: 'too_many' };
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
}
