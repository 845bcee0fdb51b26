import { Problem } from '#contract/errors.ts';
import type { CompleteVerification, Verification } from '#contract/verification.ts';
import { newPublicId } from '#platform/crypto/crypto.ts';
import type { Resource } from '#policy/resources.ts';
import { commandsOf } from '#store/verifications/commands.ts';
import type { VerificationRow } from '#store/verifications/verifications.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context, RequestContext } from '../context.ts';
import { askThenRead } from '../runs/ask-then-read.ts';
import { evenIfLost, type LostContext } from '../runs/even-if-lost.ts';
import { verificationView } from '../views/view.ts';
import { asVerification, type ChosenRow, requireCase } from './get.ts';

export type CompleteContext = LostContext & Pick<RequestContext, 'requestId'>;

type Wanted = CompleteVerification & { id: string };

/**
 * Completes an open sandbox verification (specification 3, rules 3 and 4 of 4.1; decision 8). The row stores the id of the request
 * that completed the verification. So if two requests run at once, the second request gets 409, even if a connection broke.
 */
export const completeVerification = async (
  ctx: CompleteContext & Pick<Context, 'secrets' | 'publicUrl'>,
  caller: Caller,
  wanted: Wanted,
): Promise<Verification> => verificationView(ctx, await completeChosen(ctx, caller, wanted));

/** Completes it, and returns its row as it is then. */
export const completeChosen = async (
  ctx: CompleteContext,
  caller: Caller,
  { id, scenario }: Wanted,
): Promise<ChosenRow> =>
  asVerification(await completeCase(ctx, caller, { id, scenario, resource: 'verification' }));

/** Completes an open verification or income check: what `resource` names, or else either. In live throws `not_sandbox`. */
export async function completeCase(
  ctx: CompleteContext,
  caller: Caller,
  { id, scenario, resource }: Wanted & { resource?: Resource },
): Promise<VerificationRow> {
  assertMay(caller, 'verifications.change');
  const { actor, scope } = caller;
  if (scope.environment !== 'sandbox') throw new Problem('not_sandbox');
  const before = await evenIfLost(ctx, scope, id, () => requireCase(ctx, scope, id, resource));
  if (before.status === 'completed') throw new Problem('already_completed');
  const requestId = ctx.requestId ?? newPublicId('req_');
  const keyId = actor.kind === 'key' ? actor.id : null;
  const data = { scenario: scenario ?? null, ...(actor.kind === 'member' && { memberId: actor.id }) };
  await commandsOf(scope, ctx.store.db, id).give({ requestId, keyId, name: 'complete', data });
  const verification = { verificationId: id, ...scope, method: before.method };
  const asked = ctx.temporal.command(verification, 'complete', { requestId }, ctx.deadlineAt);
  return askThenRead(asked, async () => {
    const after = await requireCase(ctx, scope, id);
    if (after.completedBy === requestId) return after;
    if (after.status === 'completed') throw new Problem('already_completed');
    return undefined;
  });
}
