import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto.ts';
import { keptSince } from '#policy/retention.ts';
import type { Db } from '#store/connection.ts';
import { type EarlierRequest, type Operation, requestsOf } from '#store/requests.ts';
import type { CallerContext } from '../context.ts';
import { type Answer, openAnswer } from './answer.ts';

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
  requireSame(earlier, fingerprint);
  const { id } = earlier ?? fresh;
  return {
    id,
    isRepeat: earlier !== undefined,
    input: earlier?.input ?? input,
    answer: openAnswer(ctx, id, earlier),
    isErased: isErased(earlier),
  };
}

/**
 * Returns the answered request that used the Idempotency-Key before, if any. Claims nothing. Throws `idempotency_key_reused` as
 * `claimRequest` does. The answer is undefined if an erasure emptied it.
 */
export async function findAnswered(
  ctx: CallerContext,
  db: Db,
): Promise<{ id: string; answer: Answer | undefined } | undefined> {
  if (ctx.idempotencyKey === undefined) return undefined;
  const since = keptSince('claims', ctx.clock.now());
  const earlier = await requestsOf(ctx.scope, db).findByKey(ctx.idempotencyKey, since);
  requireSame(earlier, ctx.fingerprint());
  if (earlier?.status !== 'answered') return undefined;
  return { id: earlier.id, answer: openAnswer(ctx, earlier.id, earlier) };
}

function requireSame(earlier: Pick<EarlierRequest, 'fingerprint'> | undefined, fingerprint: Buffer): void {
  if (earlier !== undefined && !earlier.fingerprint.equals(fingerprint))
    throw new Problem('idempotency_key_reused');
}

/** True if an erasure emptied the answer. */
const isErased = (earlier: EarlierRequest | undefined): boolean =>
  earlier?.status === 'answered' && earlier.answer === null;
