import { Problem } from '#contract/errors.ts';
import type { CreateVerification } from '#contract/verification.ts';
import { newUuid } from '#platform/crypto.ts';
import { Unavailable } from '#platform/failures.ts';
import { keptSince } from '#policy/retention.ts';
import { requestsOf } from '#store/requests.ts';
import type { CallerContext } from '../context.ts';
import { type Answer, openAnswer } from '../requests/answer.ts';
import { workflowInput } from './workflow-input.ts';

export type Created = Answer & { replayed: boolean };

/**
 * Starts a verification (specification 4.1; decision 21). The request is claimed first, then carried out by the
 * verification's workflow, then answered with what that stored. Stopped anywhere, a repeat with the same key goes on with
 * the same verification.
 */
export async function createVerification(ctx: CallerContext, input: CreateVerification): Promise<Created> {
  const requests = requestsOf(ctx.scope, ctx.store);
  const { fingerprint } = ctx;
  const fresh = {
    id: newUuid(),
    operation: 'create_verification',
    idempotencyKey: ctx.idempotencyKey,
    fingerprint,
    input,
    keptSince: keptSince('claims', ctx.clock.now()),
  };
  const earlier = await requests.claim(fresh);
  if (earlier !== undefined && !earlier.fingerprint.equals(fingerprint))
    throw new Problem('idempotency_key_reused');
  const { id } = earlier ?? fresh;
  const replay = openAnswer(ctx, id, earlier);
  if (replay !== undefined) return { ...replay, replayed: true };

  const accepted = (earlier?.input ?? input) as CreateVerification;
  const failure = await ctx.engine
    .openVerification(
      workflowInput({ id, ...ctx.scope, method: accepted.method, ...accepted.sandbox }),
      ctx.deadlineAt,
    )
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  const answer = openAnswer(ctx, id, await requests.findAnswer(id));
  if (answer !== undefined) return { ...answer, replayed: earlier !== undefined };
  throw failure ?? new Unavailable('temporal');
}
