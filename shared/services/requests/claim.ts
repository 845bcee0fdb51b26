import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto.ts';
import { keptSince } from '#policy/retention.ts';
import type { Db } from '#store/connection.ts';
import { type EarlierRequest, type Operation, requestsOf } from '#store/requests.ts';
import type { CallerContext } from '../context.ts';
import { type Answer, openAnswer } from './answer.ts';
import { hasFingerprint, noFingerprint, sealedFingerprint } from './fingerprint.ts';

/**
 * Claims the caller's request. If the Idempotency-Key was used before, returns the earlier request and its answer, if any. If the
 * earlier request was different, throws `idempotency_key_reused` (decision 21).
 */
export async function claimRequest(
  ctx: CallerContext,
  db: Db,
  { operation, input, verificationId }: { operation: Operation; input: unknown; verificationId?: string },
) {
  const id = newUuid();
  const fresh = {
    id,
    operation,
    keyId: ctx.keyId,
    idempotencyKey: ctx.idempotencyKey,
    fingerprint:
      ctx.idempotencyKey === undefined ? noFingerprint : sealedFingerprint(ctx, id, ctx.fingerprint()),
    input,
    verificationId,
    keptSince: keptSince('claims', ctx.clock.now()),
  };
  const earlier = await requestsOf(ctx.scope, db).claim(fresh);
  requireSame(ctx, earlier);
  const claimed = earlier ?? fresh;
  return {
    id: claimed.id,
    isRepeat: earlier !== undefined,
    input: earlier?.input ?? input,
    answer: openAnswer(ctx, claimed.id, earlier),
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
  requireSame(ctx, earlier);
  if (earlier?.status !== 'answered') return undefined;
  return { id: earlier.id, answer: openAnswer(ctx, earlier.id, earlier) };
}

function requireSame(ctx: CallerContext, earlier: EarlierRequest | undefined): void {
  if (earlier !== undefined && !hasFingerprint(ctx, earlier, ctx.fingerprint()))
    throw new Problem('idempotency_key_reused');
}

/** True if an erasure emptied the answer. */
const isErased = (earlier: EarlierRequest | undefined): boolean =>
  earlier?.status === 'answered' && earlier.answer === null;
