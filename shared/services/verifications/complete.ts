import { Problem } from '#contract/errors.ts';
import type { CompleteVerification, Verification } from '#contract/verification.ts';
import type { CallerContext } from '../context.ts';
import { askThenRead } from './ask-then-read.ts';
import { requireVerification } from './get.ts';
import { verificationView } from './view.ts';
import { workflowInput } from './workflow-input.ts';

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
  const { orgId, environment } = ctx.scope;
  const command = { orgId, environment, scenario: scenario ?? null, requestId: ctx.requestId };
  const asked = ctx.temporal.completeVerification(workflowInput(before), command, ctx.deadlineAt);
  return askThenRead(asked, async () => {
    const after = await requireVerification(ctx, id);
    if (after.completedBy === ctx.requestId) return verificationView(ctx, after);
    if (after.status === 'completed') throw new Problem('already_completed');
    return undefined;
  });
}
