import { membersOf } from '#store/members/members.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { disableMember, makeResetLink, removeMember } from './manage.ts';

type Named = { email: string };

/**
 * Makes a reset link for a member whom nobody else can help, such as an only owner who lost password and phone. Nothing changes until it
 * is used. `unknown`: there is no such member.
 */
export async function resetByEmail(
  ctx: Pick<Context, 'store'>,
  caller: Caller,
  { email }: Named,
): ReturnType<typeof makeResetLink> {
  assertMay(caller, 'members.change');
  const member = await membersOf(caller.scope, ctx.store.db).findByEmail(email);
  return member === undefined ? { refused: 'unknown' } : makeResetLink(ctx, caller, member);
}

/**
 * Ends the sessions of a member, and empties what is stored of them. Returns false if nobody has this address. If it stops half-way, the
 * member is disabled, and a repetition does the rest.
 */
export async function removeByEmail(
  ctx: Pick<Context, 'store'>,
  caller: Caller,
  { email }: Named,
): Promise<boolean> {
  assertMay(caller, 'members.change');
  const member = await membersOf(caller.scope, ctx.store.db).findByEmail(email);
  if (member === undefined) return false;
  await disableMember(ctx, caller, member);
  await removeMember(ctx, caller, member);
  return true;
}
