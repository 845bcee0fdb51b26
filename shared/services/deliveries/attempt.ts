import { setTimeout as pause } from 'node:timers/promises';
import { deliveryHeaders } from '#contract/events.ts';
import type { AttemptDelivery, AttemptedReport } from '#contract/workflows.ts';
import type { Posted } from '#platform/outbound-http.ts';
import { signatureHeader } from '#platform/signature.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import { inSpan } from '#platform/telemetry/tracer.ts';
import { waitAfter } from '#policy/retry-schedule.ts';
import type { Db } from '#store/connection.ts';
import {
  changeDeliveryOfAnyOrganisation,
  type DeliveryChange,
  lockDeliveryOfAnyOrganisation,
} from '#store/deliveries.ts';
import {
  attemptsOf,
  claimAttempt,
  type SettledAttempt,
  settleAsDelivered,
  unclaimAttempt,
} from '#store/delivery-attempts.ts';
import { countFailure } from '#store/endpoint-health.ts';
import { writeAtOnce } from '#store/statements.ts';
import { openWebhookSecret } from '../webhooks/secret.ts';
import type { DeliveryContext } from './context.ts';

type ClaimedDelivery = NonNullable<Awaited<ReturnType<typeof claimAttempt>>>;
type LockedDelivery = NonNullable<Awaited<ReturnType<typeof lockDeliveryOfAnyOrganisation>>>;

/** An attempt without an outcome for this long lost its sender: it may have been sent, so it counts (decision 31). */
const outcomeUnknownAfterMs = 20_000;

/**
 * Makes one attempt (decisions 29 to 31). The attempt's row is committed before anything is sent, and a row that exists is
 * never sent again: so this may be repeated without limit. What the receiver does is the result, never an error.
 */
export async function attemptDelivery(
  ctx: DeliveryContext,
  order: AttemptDelivery,
): Promise<AttemptedReport> {
  const claimed = await claimAttempt(ctx.store.db, order.deliveryId, order.number);
  if (claimed === undefined) return ctx.store.transaction((tx) => whyNotClaimed(ctx, tx, order));
  const headers = await signedHeaders(ctx, claimed, order);
  if (order.number === 1) ctx.instruments.firstAttemptAge.record(Math.max(claimed.ageSeconds, 0));
  const posted = await post(ctx, claimed, headers, order);
  const report = await persistently(() =>
    isAccepted(posted)
      ? recordSuccess(ctx.store.db, order, posted)
      : ctx.store.transaction((tx) => recordRefusal(tx, order, posted)),
  );
  countAttempt(ctx, posted);
  return countSettled(ctx.instruments, report);
}

/** In a span, of which neither the receiver nor its url is a part. */
const post = (
  { sender }: DeliveryContext,
  { url, body }: ClaimedDelivery,
  headers: Record<string, string>,
  { number }: AttemptDelivery,
): Promise<Posted> =>
  inSpan('POST webhook', { kind: 'client', attributes: { 'webhook.attempt': number } }, async (span) => {
    const posted = await sender.post(url, headers, body);
    span.setAttribute('webhook.phase', posted.phase);
    if (posted.answered) span.setAttribute('http.response.status_code', posted.status);
    else span.setAttribute('error.type', posted.reason);
    return posted;
  });

function countAttempt({ instruments }: DeliveryContext, posted: Posted): void {
  const outcome = isAccepted(posted) ? 'delivered' : 'failed';
  instruments.attempts.add(1, {
    outcome: isAccepted(posted) ? outcome : (failureOf(posted).reason ?? outcome),
    phase: posted.phase,
    status: posted.answered ? `${Math.floor(posted.status / 100)}xx` : 'none',
  });
  instruments.attemptDuration.record(posted.durationMs / 1_000, { outcome });
}

function countSettled({ deliveriesSettled }: Instruments, report: AttemptedReport): AttemptedReport {
  const { status } = report;
  if (status !== 'pending' && status !== 'retrying') deliveriesSettled.add(1, { status });
  return report;
}

const recordTries = 4;
const recordPauseMs = 500;

/** What a receiver answered is not to be forgotten for a moment without database; recording it twice changes nothing. */
async function persistently<T>(record: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await record();
    } catch (error) {
      if (attempt === recordTries) throw error;
      await pause(recordPauseMs * attempt);
    }
  }
}

/** Where the delivery stands; its workflow goes on from there. */
async function whyNotClaimed(
  { instruments }: DeliveryContext,
  tx: Db,
  order: AttemptDelivery,
): Promise<AttemptedReport> {
  const delivery = await lockDeliveryOfAnyOrganisation(tx, order.deliveryId);
  if (delivery === undefined) return settledReport('cancelled', 0);
  // Not part of the locking statement: that would read attempts as they were before it waited for the lock.
  const last = await attemptsOf(delivery.id, tx).last();
  const made = last?.number ?? 0;
  const open = {
    status: delivery.status,
    responseStatus: last?.responseStatus ?? null,
    reason: last?.reason ?? null,
  };

  if (delivery.nextAttemptAt === null) return settledReport(delivery.status, made, last);
  if (last !== undefined && last.outcome === null) {
    const leftMs = Math.max(outcomeUnknownAfterMs - last.ageMs, 0);
    // A run that takes up a lost one asks for attempt 1: it is sent on to the one in question, whose wait it then brings.
    if (leftMs > 0 || order.number !== made) return { ...open, attempts: made - 1, waitMs: leftMs };
    const report = await recordFailure(tx, delivery, made, order.waitMs, unknownOutcome);
    instruments.attempts.add(1, { outcome: 'outcome_unknown', phase: 'none', status: 'none' });
    return countSettled(instruments, report);
  }
  if (order.number === made + 1 && !delivery.active) {
    await changeDeliveryOfAnyOrganisation(tx, delivery.id, {
      status: 'cancelled',
      nextAttemptAt: null,
    }).execute();
    return countSettled(instruments, settledReport('cancelled', made));
  }
  const waitMs = Math.max(delivery.nextAttemptAt.getTime() - delivery.now.getTime(), 0);
  return { ...open, attempts: made, waitMs };
}

const openReport = { responseStatus: null, reason: null };

const settledReport = (
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

/**
 * The stored bytes under a fresh signature: receivers refuse one that is older than five minutes (specification 6.3). Without
 * the key that sealed the secret nothing can be sent, so the claim is given back and no attempt is used up.
 */
async function signedHeaders(ctx: DeliveryContext, delivery: ClaimedDelivery, { number }: AttemptDelivery) {
  try {
    const secrets = [delivery.secret, delivery.previousSecret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => openWebhookSecret(ctx, delivery.endpointId, sealed));
    const timestampSeconds = Math.floor(ctx.clock.now().getTime() / 1_000);
    return {
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'verification-service',
      [deliveryHeaders.signature]: signatureHeader(secrets, timestampSeconds, delivery.body),
      [deliveryHeaders.event]: delivery.eventType,
      [deliveryHeaders.delivery]: delivery.eventId,
    };
  } catch (error) {
    await unclaimAttempt(ctx.store.db, delivery.id, number);
    throw error;
  }
}

type Failure = SettledAttempt & { overloaded: boolean; retryAfterMs: number | null };

const unknownOutcome: Failure = {
  outcome: 'outcome_unknown',
  reason: 'outcome_unknown',
  phase: null,
  responseStatus: null,
  responseExcerpt: null,
  durationMs: null,
  overloaded: false,
  retryAfterMs: null,
};

const overloadStatuses = [429, 502, 503, 504];

type Accepted = Extract<Posted, { answered: true }>;

/** 2xx is success once the headers are in (decision 28). */
const isAccepted = (posted: Posted): posted is Accepted =>
  posted.answered && posted.status >= 200 && posted.status <= 299;

/** A success settles the delivery whatever has become of it meanwhile, so it needs no look at it first (decision 31). */
async function recordSuccess(db: Db, order: AttemptDelivery, posted: Accepted): Promise<AttemptedReport> {
  const { deliveryId, number } = order;
  await settleAsDelivered(db, { deliveryId, number, ...attemptOf(posted) });
  return settledReport('delivered', order.number, { responseStatus: posted.status, reason: null });
}

const attemptOf = (posted: Accepted) => ({
  phase: posted.phase,
  responseStatus: posted.status,
  responseExcerpt: posted.excerpt,
  durationMs: posted.durationMs,
});

async function recordRefusal(tx: Db, order: AttemptDelivery, posted: Posted): Promise<AttemptedReport> {
  const delivery = await lockDeliveryOfAnyOrganisation(tx, order.deliveryId);
  if (delivery === undefined) return settledReport('cancelled', order.number);
  return recordFailure(tx, delivery, order.number, order.waitMs, failureOf(posted));
}

function failureOf(posted: Posted): Failure {
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
    ...attemptOf(posted),
    outcome: 'failed',
    reason: isRedirect ? 'redirect_not_followed' : 'http_status',
    overloaded: overloadStatuses.includes(posted.status),
    retryAfterMs: posted.retryAfterMs,
  };
}

/** Ends the delivery after its last attempt, or says when the next one is due. */
async function recordFailure(
  tx: Db,
  delivery: LockedDelivery,
  number: number,
  scheduledWaitMs: number | null,
  { overloaded, retryAfterMs, ...attempt }: Failure,
): Promise<AttemptedReport> {
  const first = await attemptsOf(delivery.id, tx).fail(number, attempt);
  if (!first || delivery.nextAttemptAt === null) return settledOrDue(delivery, number);
  // Last, so that the endpoint's row is held for no longer than the commit takes; an unknown outcome says nothing about it.
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
  ...openReport,
  status: delivery.status,
  attempts,
  waitMs: Math.max((delivery.nextAttemptAt?.getTime() ?? 0) - delivery.now.getTime(), 0),
});
