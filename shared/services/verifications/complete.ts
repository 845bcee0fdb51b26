import { Problem } from '#contract/errors.ts';
import type { CompleteVerification, Verification } from '#contract/verification.ts';
import { newPublicId } from '#platform/crypto.ts';
import type { Resource } from '#policy/resources.ts';
import { commandsOf } from '#store/commands.ts';
import type { OrgScope } from '#store/scope.ts';
import type { VerificationRow } from '#store/verifications.ts';
import type { CallerContext, Member } from '../context.ts';
import { askThenRead } from './ask-then-read.ts';
import { evenIfLost, type LostContext } from './even-if-lost.ts';
import { requireCase, requireVerification } from './get.ts';
import { verificationView } from './view.ts';

/**
 * Completes an open sandbox verification (specification 3, rules 3 and 4 of 4.1; decision 8). The row stores the id of the request
 * that completed the verification. So if two requests run at once, the second request gets 409, even if a connection broke.
 */
export async function completeVerification(
  ctx: CallerContext,
  { id, scenario }: Wanted,
): Promise<Verification> {
  await completeCase(ctx, 'verification', { id, scenario });
  return verificationView(ctx, await requireVerification(ctx, id));
}

/** Completes an open verification or income check of sandbox. */
export const completeCase = (
  ctx: CallerContext,
  resource: Resource,
  { id, scenario }: Wanted,
): Promise<VerificationRow> => complete(ctx, ctx, { id, resource, scenario, keyId: ctx.keyId });

type Wanted = CompleteVerification & { id: string };

/** Completes it for a member, with the same rules. In live throws `not_sandbox`. */
export async function completeByMember(
  ctx: CompleteContext,
  { id: memberId }: Member,
  { id, scenario }: Wanted,
): Promise<void> {
  if (ctx.scope.environment !== 'sandbox') throw new Problem('not_sandbox');
  await complete(ctx, { requestId: newPublicId('req_') }, { id, scenario, keyId: null, memberId });
}

type CompleteContext = LostContext & { scope: OrgScope };
type Order = Wanted & { resource?: Resource; keyId: string | null; memberId?: string };

async function complete(
  ctx: CompleteContext,
  { requestId }: { requestId: string },
  { id, resource, scenario, keyId, memberId }: Order,
): Promise<VerificationRow> {
  const before = await evenIfLost(ctx, id, () => requireCase(ctx, id, resource));
  if (before.status === 'completed') throw new Problem('already_completed');
  const data = { scenario: scenario ?? null, ...(memberId !== undefined && { memberId }) };
  await commandsOf(ctx.scope, ctx.store.db, id).give({ requestId, keyId, name: 'complete', data });
  const verification = { verificationId: id, ...ctx.scope, method: before.method };
  const asked = ctx.temporal.command(verification, 'complete', { requestId }, ctx.deadlineAt);
  return askThenRead(asked, async () => {
    const after = await requireCase(ctx, id);
    if (after.completedBy === requestId) return after;
    if (after.status === 'completed') throw new Problem('already_completed');
    return undefined;
  });
}
