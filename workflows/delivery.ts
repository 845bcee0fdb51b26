import { sleep } from '@temporalio/workflow';
import type { DeliveryInput, DeliveryResult } from '#contract/workflows.ts';
import { jittered } from '#policy/retry-schedule.ts';
import { attemptDelivery } from './activities.ts';
import { isSettled, showDeferral, showDelivery, waitSummary } from './read-out.ts';

/**
 * One event on its way to one endpoint: attempt, wait, attempt again, for as long as the schedule has waits (specification
 * 6.4; decision 28). An attempt whose turn has not come is asked for again and counts for nothing. What was attempted stands in
 * the rows of the delivery, so a run that takes up a lost one goes on from there.
 */
export async function delivery({ deliveryId, waitsMs, onTheSpot }: DeliveryInput): Promise<DeliveryResult> {
  const attemptsAllowed = waitsMs.length + 1;
  let first = onTheSpot;
  for (let number = 1; ; ) {
    const scheduledMs = waitsMs[number - 1];
    const report = await attemptDelivery({
      deliveryId,
      number,
      waitMs: scheduledMs === undefined ? null : jittered(scheduledMs, Math.random()),
      ...(first && { onTheSpot: first }),
    });
    first = undefined;
    if (report.deferred) {
      await sleep(report.waitMs, { summary: showDeferral(report) });
      continue;
    }
    showDelivery(report, attemptsAllowed);
    if (isSettled(report)) return { status: report.status, attempts: report.attempts };
    await sleep(report.waitMs, { summary: waitSummary(report, attemptsAllowed) });
    number = report.attempts + 1;
  }
}
