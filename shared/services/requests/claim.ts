import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto.ts';
import { keptSince } from '#policy/retention.ts';
import type { Db } from '#store/connection.ts';
import { type Operation, requestsOf } from '#store/requests.ts';
import type { CallerContext } from '../context.ts';
import { openAnswer } from './answer.ts';

/**
 * Claims the caller's request. If the Idempotency-Key was used before, returns the earlier request and its answer, if any. If the
 * earlier request was different, throws `idempotency_key_reused` (decision 21).
 */
export async function claimRequest(
  ctx: CallerContext,
  db: Db,
  { operation, input, verificationId }: { operation: Operation; input: unknown; verificationId?: string },
) {
  const fingerprint = ctx.fingerprint();
  const fresh = {
    id: newUuid(),
    operation,
    keyId: ctx.keyId,
    idempotencyKey: ctx.idempotencyKey,
    fingerprint,
    input,
    verificationId,
    keptSince: keptSince('claims', ctx.clock.now()),
  };
  const earlier = await requestsOf(ctx.scope, db).claim(fresh);
  if (earlier !== undefined && !earlier.fingerprint.equals(fingerprint))
    throw new Problem('idempotency_key_reused');
  const { id } = earlier ?? fresh;
  return {
    id,
    isRepeat: earlier !== undefined,
    input: earlier?.input ?? input,
    answer: openAnswer(ctx, id, earlier),
    /** True if an erasure emptied the answer. */
    isErased: earlier?.status === 'answered' && earlier.answer === null,
  };
}
