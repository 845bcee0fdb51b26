import type { AttemptDelivery, AttemptedReport } from '#contract/workflows.ts';
import type { Posted } from '#platform/outbound/http.ts';
import { waitAfter } from '#policy/retry-schedule.ts';
import type { Db } from '#store/database/connection.ts';
import { writeAtOnce } from '#store/database/statements.ts';
import {
  changeDeliveryOfAnyOrganisation,
  type DeliveryChange,
  lockDeliveryOfAnyOrganisation,
} from '#store/webhooks/deliveries.ts';
import {
  attemptsOf,
  type Contents,
  type SettledAttempt,
  settleAsDelivered,
} from '#store/webhooks/delivery-attempts.ts';
import { countFailure } from '#store/webhooks/endpoint-health.ts';
import type { Context } from '../context.ts';
import { sealedAnswer } from './answers.ts';
import { sealedHeads } from './heads.ts';

export type LockedDelivery = NonNullable<Awaited<ReturnType<typeof lockDeliveryOfAnyOrganisation>>>;

type Failure = SettledAttempt & { overloaded: boolean; retryAfterMs: number | null };

export const unknownOutcome: Failure = {
  outcome: 'outcome_unknown',
  reason: 'outcome_unknown',
  phase: null,
  responseStatus: null,
  answer: null,
  heads: null,
  durationMs: null,
  overloaded: false,
  retryAfterMs: null,
};

const overloadStatuses = [429, 502, 503, 504];

type Accepted = Extract<Posted, { answered: true }>;

/** A response with a 2xx status is a success as soon as its headers have arrived (decision 28). */
export const isAccepted = (posted: Posted): posted is Accepted =>
  posted.answered && posted.status >= 200 && posted.status <= 299;

/** A success ends a delivery in any state. So the row need not be locked first (decision 31). */
export async function recordSuccess(
  ctx: Pick<Context, 'store' | 'secrets'>,
  order: AttemptDelivery,
  posted: Accepted,
): Promise<AttemptedReport> {
  const { deliveryId, number } = order;
  const made = { deliveryId, number, ...attemptOf(posted), ...contentsOf(ctx, order, posted) };
  await settleAsDelivered(ctx.store.db, made);
  return settledReport('delivered', order.number, { responseStatus: posted.status, reason: null });
}

const attemptOf = (posted: Accepted) => ({
  phase: posted.phase,
  responseStatus: posted.status,
  durationMs: posted.durationMs,
});

const contentsOf = (ctx: Pick<Context, 'secrets'>, order: AttemptDelivery, posted: Posted): Contents => ({
  answer: posted.answered ? sealedAnswer(ctx, order, posted.excerpt) : null,
  heads: sealedHeads(ctx, order, posted),
});

export async function recordRefusal(
  ctx: Pick<Context, 'secrets'>,
  tx: Db,
  order: AttemptDelivery,
  posted: Posted,
): Promise<AttemptedReport> {
  const delivery = await lockDeliveryOfAnyOrganisation(tx, order.deliveryId);
  if (delivery === undefined) return settledReport('cancelled', order.number);
  const failure = { ...failureOf(posted), ...contentsOf(ctx, order, posted) };
  return recordFailure(tx, delivery, order.number, order.waitMs, failure);
}

/** Without what was said. */
export function failureOf(posted: Posted): Failure {
  if (!posted.answered)
    return {
      ...unknownOutcome,
      outcome: 'failed',
      reason: posted.reason,
      phase: posted.phase,
      durationMs: posted.durationMs,
      overloaded: posted.reason === 'timed_out',
    };
  const isRedirect = posted.status >= 300 && posted.status <= 399;
  return {
    ...unknownOutcome,
    ...attemptOf(posted),
    outcome: 'failed',
    reason: isRedirect ? 'redirect_not_followed' : 'http_status',
    overloaded: overloadStatuses.includes(posted.status),
    retryAfterMs: posted.retryAfterMs,
  };
}

/** After the last attempt, ends the delivery. Otherwise sets the due time of the next attempt. */
export async function recordFailure(
  tx: Db,
  delivery: LockedDelivery,
  number: number,
  scheduledWaitMs: number | null,
  { overloaded, retryAfterMs, ...attempt }: Failure,
): Promise<AttemptedReport> {
  const first = await attemptsOf(delivery.id, tx).fail(number, attempt);
  if (!first || delivery.nextAttemptAt === null) return settledOrDue(delivery, number);
  // The row of the endpoint is written in the last statement, so that its lock is short. An unknown outcome is not a failure of the
  // endpoint.
  const recordBoth = (change: DeliveryChange) =>
    writeAtOnce(tx, [
      changeDeliveryOfAnyOrganisation(tx, delivery.id, change),
      ...(attempt.outcome === 'failed' ? [countFailure(tx, delivery.endpointId)] : []),
    ]);
  if (scheduledWaitMs === null || number >= delivery.attemptsAllowed) {
    await recordBoth({ status: 'failed', nextAttemptAt: null });
    return settledReport('failed', number, attempt);
  }
  const { waitMs, final } = waitAfter({
    scheduledWaitMs,
    overloaded,
    retryAfterMs,
    waitedMs: delivery.waitedMs,
  });
  await recordBoth({
    status: 'retrying',
    heldAt: null,
    nextAttemptAt: new Date(delivery.now.getTime() + waitMs),
    waitedMs: delivery.waitedMs + waitMs,
    attemptsAllowed: final ? number + 1 : delivery.attemptsAllowed,
  });
  return {
    status: 'retrying',
    attempts: number,
    waitMs,
    responseStatus: attempt.responseStatus,
    reason: attempt.reason,
  };
}

const settledOrDue = (delivery: LockedDelivery, attempts: number): AttemptedReport => ({
  responseStatus: null,
  reason: null,
  status: delivery.status,
  attempts,
  waitMs: Math.max((delivery.nextAttemptAt?.getTime() ?? 0) - delivery.now.getTime(), 0),
});

export const settledReport = (
  status: AttemptedReport['status'],
  attempts: number,
  last?: Pick<AttemptedReport, 'responseStatus' | 'reason'>,
): AttemptedReport => ({
  status,
  attempts,
  waitMs: 0,
  responseStatus: last?.responseStatus ?? null,
  reason: last?.reason ?? null,
});
