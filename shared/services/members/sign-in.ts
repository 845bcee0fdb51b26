import { passwordMatches } from '#platform/password.ts';
import { signInsOfAnyOrganisation } from '#store/members.ts';
import { scopeOfMember } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import type { Device, MemberContext } from './context.ts';
import { lockOwnChain, ownLine } from './note.ts';
import { beginSession } from './sessions.ts';

/** The organisations of one address that are tried. Each takes the time of one slow hash. */
const triedMax = 5;

type Given = { email: string; password: string; organisationId?: string | undefined };

/** `choose`: the same address and password belong to members of several organisations. */
export type SignIn =
  | 'wrong'
  | { choose: { id: string; name: string }[] }
  | { token: string; owesCode: boolean; memberId: string };

/** Compares address and password. An unknown address takes the time of a known one. */
export async function signIn(ctx: MemberContext, given: Given, device: Device): Promise<SignIn> {
  const found = await signInsOfAnyOrganisation(ctx.store.db, given.email, triedMax);
  const asked = found.filter(({ orgId }) => (given.organisationId ?? orgId) === orgId);
  if (asked.length === 0) await passwordMatches(given.password, null);
  const right: typeof asked = [];
  for (const each of asked) if (await passwordMatches(given.password, each.passwordHash)) right.push(each);
  const [member, another] = right;
  if (member === undefined) return 'wrong';
  if (another !== undefined)
    return { choose: right.map(({ orgId, organisation }) => ({ id: orgId, name: organisation })) };
  const owesCode = member.hasSecondFactor;
  const token = await ctx.store.transaction(async (tx) => {
    const scope = scopeOfMember({ orgId: member.orgId, environment: 'live' });
    const locked = await lockOwnChain(tx, scope, member.id);
    // The password was compared without the lock, since that takes long. A reset in between makes it an old one.
    if (locked?.passwordHash !== member.passwordHash || owesCode !== (locked?.totpSecret != null))
      return undefined;
    const { now: at } = locked;
    const session = beginSession(tx, scope, member.id, { isFull: !owesCode, device, at });
    const line = owesCode
      ? []
      : await ownLine(tx, scope, member.id, { type: 'account.signed_in', at, data: { with: 'password' } });
    await writeAtOnce(tx, [...session.writes, ...line]);
    return session.token;
  });
  return token === undefined ? 'wrong' : { token, owesCode, memberId: member.id };
}
