import type { Db } from '#store/connection.ts';
import type { OrgScope } from '#store/scope.ts';
import type { Context, Member } from '../context.ts';
import { cancel } from './cancel.ts';
import type { Ordered } from './change.ts';
import { erase } from './erase.ts';
import { replaceLink } from './renew-link.ts';
import { wakeRun } from './wake-run.ts';

type MemberContext = Pick<Context, 'store' | 'temporal' | 'secrets'> & { scope: OrgScope };

/** Cancels an open verification, as a key can. Throws `already_completed`, or `already_submitted` after Send. */
export const cancelByMember = (ctx: MemberContext, member: Member, id: string): Promise<void> =>
  change(ctx, member, id, (tx, ordered) => cancel(tx, ctx.scope, id, ordered));

/** Gives a verification a fresh link. Throws `already_completed`, `erased`, `already_submitted` or `too_many_links`. */
export const renewLinkByMember = (ctx: MemberContext, member: Member, id: string): Promise<void> =>
  change(ctx, member, id, (tx, ordered) => replaceLink(ctx, tx, ctx.scope, id, ordered));

/** Erases what is stored of the person, whatever the organisation allows its keys. Returns false if it was erased before. */
export const eraseByMember = (ctx: MemberContext, member: Member, id: string): Promise<boolean> =>
  change(ctx, member, id, (tx, ordered) => erase(tx, ctx.scope, id, ordered));

async function change<Result>(
  ctx: MemberContext,
  { id: memberId }: Member,
  id: string,
  work: (tx: Db, ordered: Ordered) => Promise<Result>,
): Promise<Result> {
  const ordered: Ordered = { actor: { kind: 'member', id: memberId }, requestId: null };
  const result = await ctx.store.transaction((tx) => work(tx, ordered));
  await wakeRun(ctx, id);
  return result;
}
