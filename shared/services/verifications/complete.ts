import { Problem } from '#contract/errors.ts';
import type { CompleteVerification, Verification } from '#contract/verification.ts';
import { commandsOf } from '#store/commands.ts';
import type { CallerContext } from '../context.ts';
import { askThenRead } from './ask-then-read.ts';
import { requireVerification } from './get.ts';
import { verificationView } from './view.ts';

/**
 * Completes an open sandbox verification (specification 3, rules 3 and 4 of 4.1; decision 8). The row stores the id of the request
 * that completed the verification. So if two requests run at once, the second request gets 409, even if a connection broke.
 */
export async function completeVerification(
  ctx: CallerContext,
  { id, scenario }: CompleteVerification & { id: string },
): Promise<Verification> {
  const before = await requireVerification(ctx, id);
  if (before.status === 'completed') throw new Problem('already_completed');
  const { requestId, keyId } = ctx;
  const data = { scenario: scenario ?? null };
  await commandsOf(ctx.scope, ctx.store.db, id).give({ requestId, keyId, name: 'complete', data });
  const verification = { verificationId: id, ...ctx.scope, method: before.method };
  const asked = ctx.temporal.command(verification, 'complete', { requestId }, ctx.deadlineAt);
  return askThenRead(asked, async () => {
    const after = await requireVerification(ctx, id);
    if (after.completedBy === requestId) return verificationView(ctx, after);
    if (after.status === 'completed') throw new Problem('already_completed');
    return undefined;
  });
}
