import { setTimeout as pause } from 'node:timers/promises';
import { deliveryHeaders } from '#contract/events.ts';
import { hourMs } from '#contract/time.ts';
import { type AttemptDelivery, type AttemptedReport, isSettled } from '#contract/workflows.ts';
import { signatureHeader } from '#platform/crypto/signature.ts';
import type { Posted } from '#platform/outbound/http.ts';
import type { Instruments } from '#platform/telemetry/instruments.ts';
import { inSpan } from '#platform/telemetry/tracer.ts';
import type { Db } from '#store/database/connection.ts';
import {
  changeDeliveryOfAnyOrganisation,
  lockDeliveryOfAnyOrganisation,
} from '#store/webhooks/deliveries.ts';
import { attemptsOf, claimAttempts, unclaimAttempt } from '#store/webhooks/delivery-attempts.ts';
import { openWebhookSecret } from '../webhooks/secret.ts';
import type { DeliveryContext } from './context.ts';
import { sentHeaders } from './headers.ts';
import {
  failureOf,
  isAccepted,
  type LockedDelivery,
  recordFailure,
  recordRefusal,
  recordSuccess,
  settledReport,
  unknownOutcome,
} from './record-outcome.ts';

export type ClaimedDelivery = Awaited<ReturnType<typeof claimAttempts>>[number];

/**
 * If an attempt has no outcome after this time, its process died or could not record the outcome. The attempt still counts, because
 * its request may have been sent (decision 31).
 */
export const outcomeUnknownAfterMs = 20_000;

/**
 * Makes one attempt (decisions 29 to 31). The row of the attempt is committed before its request is sent. An attempt that has a
 * row is never sent again, so this function may be repeated without limit. A failure of the receiver is a result, not an error.
 */
export async function attemptDelivery(
  ctx: DeliveryContext,
  order: AttemptDelivery,
): Promise<AttemptedReport> {
  const [claimed] = await claimAttempts(ctx.store.db, [order.deliveryId], order.number);
  return claimed === undefined
    ? ctx.store.transaction((tx) => reportUnclaimed(ctx, tx, order))
    : makeClaimed(ctx, claimed, order);
}

/** Makes an attempt whose claim is committed. The caller must be the one who claimed it. */
export async function makeClaimed(
  ctx: DeliveryContext,
  claimed: ClaimedDelivery,
  order: AttemptDelivery,
): Promise<AttemptedReport> {
  const headers = await signedHeaders(ctx, claimed, order);
  if (order.number === 1) ctx.instruments.firstAttemptAge.record(Math.max(claimed.ageSeconds, 0));
  const posted = await post(ctx, claimed, headers, order);
  const report = await persistently(() =>
    isAccepted(posted)
      ? recordSuccess(ctx, order, posted)
      : ctx.store.transaction((tx) => recordRefusal(ctx, tx, order, posted)),
  );
  countAttempt(ctx, posted);
  return countSettled(ctx.instruments, report);
}

/** Returns the state of a woken delivery that has ended or must still wait. Returns undefined if its next attempt is due. */
export async function reportUnlessDue(
  ctx: DeliveryContext,
  order: AttemptDelivery,
): Promise<AttemptedReport | undefined> {
  const report = await ctx.store.transaction((tx) => reportUnclaimed(ctx, tx, order));
  return report.waitMs > 0 || isSettled(report) ? report : undefined;
}

/** The span must not contain the URL of the receiver, because a URL can contain a secret of the partner. */
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
    connection: posted.kept ? 'kept' : 'new',
  });
  instruments.attemptDuration.record(posted.durationMs / 1_000, { outcome });
}

function countSettled({ deliveriesSettled }: Instruments, report: AttemptedReport): AttemptedReport {
  if (isSettled(report)) deliveriesSettled.add(1, { status: report.status });
  return report;
}

const recordTries = 4;
const recordPauseMs = 500;

/** Repeats `record`, so that a short outage of the database loses no outcome. If an outcome is recorded twice, nothing changes. */
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

/**
 * Reports the state of a delivery whose attempt could not be claimed. The workflow continues from that state. Before the report, an
 * attempt that has been open for too long is recorded with an unknown outcome. If the endpoint is inactive, the delivery is
 * cancelled. If it is paused, the delivery waits.
 */
async function reportUnclaimed(
  { instruments }: DeliveryContext,
  tx: Db,
  order: AttemptDelivery,
): Promise<AttemptedReport> {
  const delivery = await lockDeliveryOfAnyOrganisation(tx, order.deliveryId);
  if (delivery === undefined) return settledReport('cancelled', 0);
  // The attempts need a separate query. The locking statement would read them as they were before it waited for the lock.
  const last = await attemptsOf(delivery.id, tx).last();
  const made = last?.number ?? 0;
  const open = {
    status: delivery.status,
    responseStatus: last?.responseStatus ?? null,
    reason: last?.reason ?? null,
  };

  if (delivery.nextAttemptAt === null) return settledReport(delivery.status, made, last);
  // Its workflow begins with its turn. One that runs all the same leaves it alone.
  if (delivery.queuedAt !== null) return { ...open, attempts: made, waitMs: heldMs };
  if (last !== undefined && last.outcome === null) {
    const leftMs = Math.max(outcomeUnknownAfterMs - last.ageMs, 0);
    // If a workflow was lost, its new run requests attempt 1. This report makes the new run wait and then request the open
    // attempt.
    if (leftMs > 0 || order.number !== made) return { ...open, attempts: made - 1, waitMs: leftMs };
    const report = await recordFailure(tx, delivery, made, order.waitMs, unknownOutcome);
    instruments.attempts.add(1, {
      ...{ outcome: 'outcome_unknown', phase: 'none', status: 'none', connection: 'none' },
    });
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
  if (waitMs > 0 || order.number !== made + 1 || !isHeld(delivery))
    return { ...open, attempts: made, waitMs };
  await hold(tx, delivery);
  return { ...open, attempts: made, waitMs: heldMs };
}

/** A test is sent to a paused endpoint too. */
const isHeld = ({ pausedAt, trigger }: Pick<LockedDelivery, 'pausedAt' | 'trigger'>): boolean =>
  pausedAt !== null && trigger !== 'test';

/** The delivery of a paused endpoint asks again after this time, if nobody wakes it before because the endpoint was resumed. */
const heldMs = hourMs;

/** The delivery waits, and no attempt is used up. It is not overdue meanwhile. */
const hold = (tx: Db, { id, heldAt, now }: LockedDelivery) =>
  changeDeliveryOfAnyOrganisation(tx, id, {
    ...{ heldAt: heldAt ?? now, nextAttemptAt: new Date(now.getTime() + heldMs) },
  }).execute();

/**
 * Each attempt creates a new signature, because receivers refuse a signature older than five minutes (specification 6.3). If the
 * key that sealed the secret is missing, nothing can be sent. Then the claim is removed, so that no attempt is used.
 */
async function signedHeaders(ctx: DeliveryContext, delivery: ClaimedDelivery, { number }: AttemptDelivery) {
  try {
    const secrets = [delivery.secret, delivery.previousSecret]
      .filter((sealed) => sealed !== null)
      .map((sealed) => openWebhookSecret(ctx, delivery.endpointId, sealed));
    const timestampSeconds = Math.floor(ctx.clock.now().getTime() / 1_000);
    return {
      ...sentHeaders(delivery),
      [deliveryHeaders.signature]: signatureHeader(secrets, timestampSeconds, delivery.body),
    };
  } catch (error) {
    await unclaimAttempt(ctx.store.db, delivery.id, number);
    throw error;
  }
}
