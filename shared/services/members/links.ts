import { type ConsoleRole, type MemberLinkKind, memberLimits } from '#contract/members.ts';
import { hourMs } from '#contract/time.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfMember } from '#store/database/scope.ts';
import type { Write } from '#store/database/statements.ts';
import { linkOfAnyOrganisation, waysInOf } from '#store/members/members.ts';
import type { Actor } from '../ledger/append.ts';
import type { MemberContext } from './context.ts';
import { hashOfToken, newToken } from './tokens.ts';

/** A link that lets its holder set the password of one member. */
export type MemberLink = {
  scope: OrgScope;
  memberId: string;
  kind: MemberLinkKind;
  email: string;
  role: ConsoleRole;
  /** Empty for an operator. */
  organisation: string;
  /** The member who made the link. Null if the operator did. */
  madeBy: string | null;
};

export type IssuedLink = { token: string; kind: MemberLinkKind; expiresAt: Date };

/** Builds the write of a fresh link. Every earlier link of the member ends. */
export function issueLink(
  tx: Db,
  scope: OrgScope,
  { memberId, kind, at, actor }: { memberId: string; kind: MemberLinkKind; at: Date; actor: Actor },
): { issued: IssuedLink; writes: Write[] } {
  const { token, tokenHash } = newToken();
  const expiresAt = new Date(at.getTime() + memberLimits.linkLifetimeHours[kind] * hourMs);
  const madeBy = actor.kind === 'member' ? actor.id : null;
  const write = waysInOf(scope, tx, memberId).keepLink({ kind, tokenHash, expiresAt, madeBy });
  return { issued: { token, kind, expiresAt }, writes: [write] };
}

/** Unknown, used, replaced and expired links, and those of a disabled member, are all undefined. */
export async function findMemberLink(
  { store, clock }: Pick<MemberContext, 'store' | 'clock'>,
  token: string,
  db: Db = store.db,
): Promise<MemberLink | undefined> {
  const row = await linkOfAnyOrganisation(db, hashOfToken(token));
  if (row === undefined || row.disabledAt !== null || row.expiresAt <= clock.now()) return undefined;
  const { orgId, memberId, kind, email, role, organisation, madeBy } = row;
  const scope = scopeOfMember({ orgId, environment: 'live' });
  return { scope, memberId, kind, email, role, organisation, madeBy };
}
