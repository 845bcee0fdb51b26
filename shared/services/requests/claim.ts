import { Problem } from '#contract/errors.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import { keptSince } from '#policy/retention.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type EarlierRequest, type Operation, requestsOf } from '#store/requests.ts';
import type { Caller } from '../caller.ts';
import type { RequestContext } from '../context.ts';
import { type Answer, openAnswer } from './answer.ts';
import { hasFingerprint, noFingerprint, sealedFingerprint } from './fingerprint.ts';

type ClaimContext = Pick<RequestContext, 'clock' | 'secrets' | 'request'>;

/**
 * Claims the caller's request. If the Idempotency-Key was used before, returns the earlier request and its answer, if any. If the
 * earlier request was different, throws `idempotency_key_reused` (decision 21).
 */
export async function claimRequest(
  ctx: ClaimContext,
  db: Db,
  { actor, scope }: Pick<Caller, 'actor' | 'scope'>,
  { operation, input, verificationId }: { operation: Operation; input: unknown; verificationId?: string },
) {
  const { request } = ctx;
  const id = newUuid();
  const fresh = {
    id,
    operation,
    keyId: actor.kind === 'key' ? actor.id : null,
    idempotencyKey: request?.idempotencyKey,
    fingerprint: request === undefined ? noFingerprint : sealedFingerprint(ctx, id, request.fingerprint()),
    input,
    verificationId,
    keptSince: keptSince('claims', ctx.clock.now()),
  };
  const earlier = await requestsOf(scope, db).claim(fresh);
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
  ctx: ClaimContext,
  db: Db,
  scope: OrgScope,
): Promise<{ id: string; answer: Answer | undefined } | undefined> {
  if (ctx.request === undefined) return undefined;
  const since = keptSince('claims', ctx.clock.now());
  const earlier = await requestsOf(scope, db).findByKey(ctx.request.idempotencyKey, since);
  requireSame(ctx, earlier);
  if (earlier?.status !== 'answered') return undefined;
  return { id: earlier.id, answer: openAnswer(ctx, earlier.id, earlier) };
}

function requireSame(ctx: ClaimContext, earlier: EarlierRequest | undefined): void {
  if (earlier === undefined || ctx.request === undefined) return;
  if (!hasFingerprint(ctx, earlier, ctx.request.fingerprint())) throw new Problem('idempotency_key_reused');
}

/** True if an erasure emptied the answer. */
const isErased = (earlier: EarlierRequest | undefined): boolean =>
  earlier?.status === 'answered' && earlier.answer === null;
