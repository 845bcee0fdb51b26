import { comparePassword, shouldRenew } from '#platform/sign-in/password.ts';
import { scopeOfMember } from '#store/database/scope.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import { memberWritesOf, signInsOfAnyOrganisation } from '#store/members/members.ts';
import { isTooShort } from './accept.ts';
import type { Device, MemberContext } from './context.ts';
import { lockOwnChain, ownLine } from './note.ts';
import { saltedBy } from './passwords.ts';
import { beginSession } from './sessions.ts';

/** Far more organisations than one address belongs to. A single hash answers for all of them. */
const comparedMax = 1_000;

type Given = {
  email: string;
  password: string;
  organisationId?: string | undefined;
  /** The member who signed in with this browser before. */
  knownMemberId?: string | undefined;
  /** The network of the browser. Those of strangers take turns. */
  network: string;
  /** True if strangers may not try now: only the known member can sign in. */
  isKnownOnly?: boolean | undefined;
};

/** `choose`: the same address and password belong to members of several organisations. */
export type SignIn =
  | 'wrong'
  /** Only the known member may try, and is none of this address. Nothing was compared. */
  | 'not_known'
  | { choose: { id: string; name: string }[] }
  | { token: string; owesCode: boolean; memberId: string };

type Row = Awaited<ReturnType<typeof signInsOfAnyOrganisation>>[number];

/**
 * Compares address and password. An unknown address takes the time of a known one, unless a hash of the known one is of an earlier cost or
 * salt. A password that is too short to be one takes none.
 */
export async function signIn(ctx: MemberContext, given: Given, device: Device): Promise<SignIn> {
  const { email, password, organisationId, knownMemberId, network, isKnownOnly } = given;
  if (isTooShort(password)) return 'wrong';
  const found = await signInsOfAnyOrganisation(ctx.store.db, email, comparedMax);
  const known = found.find(({ id }) => id === knownMemberId);
  if (isKnownOnly && known === undefined) return 'not_known';
  const asked = found.filter(
    ({ id, orgId }) =>
      (organisationId === undefined || organisationId === orgId) && (!isKnownOnly || id === knownMemberId),
  );
  const stored = asked.map(({ passwordHash }) => passwordHash);
  const turn = { deadlineAt: ctx.deadlineAt, organisation: known?.orgId, network };
  const { isRight, fresh } = await comparePassword(password, { ...saltedBy(ctx, email), stored }, turn);
  const right = asked.filter((_, index) => isRight[index]);
  const [member, another] = right;
  if (member === undefined) return 'wrong';
  if (another !== undefined)
    return { choose: right.map(({ orgId, organisation }) => ({ id: orgId, name: organisation })) };
  return begin(ctx, member, { fresh, device });
}

async function begin(
  { store }: MemberContext,
  member: Row,
  { fresh, device }: { fresh: string; device: Device },
): Promise<SignIn> {
  const { id, orgId, passwordHash, hasSecondFactor: owesCode } = member;
  const token = await store.transaction(async (tx) => {
    const scope = scopeOfMember({ orgId, environment: 'live' });
    const locked = await lockOwnChain(tx, scope, id);
    // The password was compared without the lock, since that takes long. A reset in between makes it an old one.
    const isSame = [passwordHash, fresh].some((hash) => hash === locked?.passwordHash);
    if (locked === undefined || !isSame || owesCode !== (locked.totpSecret !== null)) return undefined;
    const { now: at } = locked;
    const session = beginSession(tx, scope, id, { isFull: !owesCode, device, at });
    const line = owesCode
      ? []
      : await ownLine(tx, scope, id, { type: 'account.signed_in', at, data: { with: 'password' } });
    const renewed = shouldRenew(passwordHash, fresh)
      ? [memberWritesOf(scope, tx).change(id, { passwordHash: fresh })]
      : [];
    await writeAtOnce(tx, [...renewed, ...session.writes, ...line]);
    return session.token;
  });
  return token === undefined ? 'wrong' : { token, owesCode, memberId: id };
}
