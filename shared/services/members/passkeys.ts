import { memberLimits } from '#contract/members.ts';
import { minuteMs } from '#contract/time.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import {
  creationOptions,
  credentialIn,
  type PasskeySite,
  readPasskeyUse,
  readRegistration,
} from '#platform/sign-in/passkey.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfMember } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { sessionsOf } from '#store/members/member-sessions.ts';
import { membersOf } from '#store/members/members.ts';
import { passkeyOfAnyOrganisation, passkeysOf } from '#store/members/passkeys.ts';
import { type Actor, type Entry, nextLine } from '../ledger/append.ts';
import type { Device, MemberContext } from './context.ts';
import { lockOwnChain, lockSignedIn, ownLine } from './note.ts';
import { beginSession, type SignedIn } from './sessions.ts';

/** The text that the device signs. It was shown to this browser only. */
export type Challenge = { text: string; madeAt: Date };

/** What a form brings: the answer of the device, as the browser writes it in JSON. */
type Given = { credential: string; challenge: Challenge; site: PasskeySite };

export const listPasskeys = ({ store }: Pick<MemberContext, 'store'>, { scopes, memberId }: SignedIn) =>
  passkeysOf(scopes.live, store.db, memberId).list(memberLimits.passkeysMax);

/** What the browser needs to make a passkey, without the challenge. */
export async function offerPasskey(
  ctx: Pick<MemberContext, 'store'>,
  member: SignedIn,
  { site, name }: { site: PasskeySite; name: string },
) {
  const known = (await listPasskeys(ctx, member)).map(({ credentialId }) => credentialId);
  const account = member.organisation === '' ? member.email : `${member.email} (${member.organisation})`;
  return creationOptions(site, { userId: member.memberId, name: account, site: name, known });
}

const isTooOld = ({ clock }: Pick<MemberContext, 'clock'>, { madeAt }: Challenge): boolean =>
  clock.now().getTime() - madeAt.getTime() > memberLimits.challengeMinutes * minuteMs;

/**
 * Registers a passkey. `refused`: the answer of the device does not belong to this challenge or this site, its user was not verified, the
 * key is registered already, or the session has ended meanwhile.
 */
export async function addPasskey(
  ctx: MemberContext,
  member: SignedIn,
  given: Given & { name: string },
): Promise<'refused' | 'too_many' | undefined> {
  const { site, challenge, credential, name } = given;
  if (isTooOld(ctx, challenge)) return 'refused';
  const registered = await readRegistration(credential, { site, challenge: challenge.text });
  if (registered === undefined) return 'refused';
  const { scopes, memberId } = member;
  return ctx.store.transaction(async (tx) => {
    const { now: at } = await membersOf(scopes.live, tx).lockOrganisation();
    if ((await lockSignedIn(tx, member)) === undefined) return 'refused';
    const passkeys = passkeysOf(scopes.live, tx, memberId);
    const max = memberLimits.passkeysMax;
    if ((await passkeys.list(max)).length >= max) return 'too_many';
    const id = newUuid();
    if (!(await passkeys.insert({ ...registered, id, name }))) return 'refused';
    await note(tx, scopes.live, {
      type: 'member.passkey_added',
      memberId,
      id,
      at,
      actor: { kind: 'member', id: memberId },
    });
    return undefined;
  });
}

/** Removes a passkey of the member. Nothing happens if the member has no such passkey, or if the session has ended. */
export const removePasskey = (
  { store }: Pick<MemberContext, 'store'>,
  member: SignedIn,
  id: string,
): Promise<void> =>
  store.transaction(async (tx) => {
    const { scopes, memberId } = member;
    const { now: at } = await membersOf(scopes.live, tx).lockOrganisation();
    if ((await lockSignedIn(tx, member)) === undefined) return;
    if (!(await passkeysOf(scopes.live, tx, memberId).drop(id))) return;
    await note(tx, scopes.live, {
      type: 'member.passkey_removed',
      memberId,
      id,
      at,
      actor: { kind: 'member', id: memberId },
    });
  });

type Noted = { type: Entry['type']; memberId: string; id: string; at: Date; actor: Actor };

/** The caller holds the lock on the organisation. */
const note = async (tx: Db, scope: OrgScope, { type, memberId, id, at, actor }: Noted): Promise<void> =>
  writeAtOnce(
    tx,
    await nextLine(tx, scope, {
      ...{ subjectId: scope.orgId, type, at },
      actor,
      data: { member_id: memberId, passkey_id: id },
    }),
  );

/** `too_old`: the page was open for too long. `copied`: two devices have the same key, so it is blocked. */
export type PasskeySignIn = 'wrong' | 'too_old' | 'copied' | { token: string };

/**
 * Signs in with a passkey. The device has verified its user, so it counts as both factors. A challenge works once: the row keeps the time
 * of the last one.
 */
export async function signInWithPasskey(
  ctx: MemberContext,
  { credential, challenge, site }: Given,
  device: Device,
): Promise<PasskeySignIn> {
  const credentialId = credentialIn(credential);
  const found = credentialId && (await passkeyOfAnyOrganisation(ctx.store.db, credentialId));
  if (found === undefined || found.disabledAt !== null) return 'wrong';
  const use = await readPasskeyUse(credential, { site, challenge: challenge.text }, found);
  if (use === undefined) return 'wrong';
  if (isTooOld(ctx, challenge)) return 'too_old';
  const { id, memberId, orgId } = found;
  const scope = scopeOfMember({ orgId, environment: 'live' });
  const result = await ctx.store.transaction(async (tx) => {
    const passkeys = passkeysOf(scope, tx, memberId);
    // The member before the passkey, as a reset does, so that neither waits for the other.
    if ((await lockOwnChain(tx, scope, memberId)) === undefined) return 'wrong';
    const row = await passkeys.lock(id);
    if (row === undefined || row.blockedAt !== null) return 'wrong';
    if (row.challengeAt !== null && challenge.madeAt <= row.challengeAt) return 'too_old';
    if (showsCopy(row.counter, use.counter)) return 'copied';
    const session = beginSession(tx, scope, memberId, { isFull: true, device, at: row.now });
    const used = passkeys.used(id, { ...use, challengeAt: challenge.madeAt, at: row.now });
    const line = await ownLine(tx, scope, memberId, {
      ...{ type: 'account.signed_in', at: row.now, data: { with: 'passkey', passkey_id: id } },
    });
    await writeAtOnce(tx, [used, ...session.writes, ...line]);
    return { token: session.token };
  });
  if (result === 'copied') await blockPasskey(ctx, scope, { memberId, id });
  return result;
}

/** A device counts its uses. Of two devices with the same key, one falls behind. Devices that do not count always say 0. */
const showsCopy = (before: number, now: number): boolean => (before > 0 || now > 0) && now <= before;

/** Nobody knows which of the two devices is the member's. So the key opens nothing more, and the sessions end. */
const blockPasskey = (
  { store }: Pick<MemberContext, 'store'>,
  scope: OrgScope,
  { memberId, id }: { memberId: string; id: string },
): Promise<void> =>
  store.transaction(async (tx) => {
    const { now: at } = await membersOf(scope, tx).lockOrganisation();
    if (!(await passkeysOf(scope, tx, memberId).block(id, at))) return;
    await writeAtOnce(tx, [sessionsOf(scope, tx, memberId).endAll()]);
    await note(tx, scope, { type: 'member.passkey_blocked', memberId, id, at, actor: { kind: 'machine' } });
  });
