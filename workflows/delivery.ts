import { sleep } from '@temporalio/workflow';
import type { DeliveryInput, DeliveryResult } from '#contract/workflows.ts';
import { jittered } from '#policy/retry-schedule.ts';
import { attemptDelivery } from './activities.ts';
import { isSettled, showDeferral, showDelivery, waitSummary } from './operator-view.ts';

/**
 * Delivers one event to one endpoint. The workflow repeats attempt and wait as long as the schedule has waits (specification 6.4;
 * decision 28). A deferred attempt is requested again and does not count. The rows record all attempts, so a run that replaces a
 * lost run continues after the last recorded attempt.
 */
export async function delivery({ deliveryId, waitsMs, onTheSpot }: DeliveryInput): Promise<DeliveryResult> {
  const attemptsAllowed = waitsMs.length + 1;
  let inline = onTheSpot;
  for (let number = 1; ; ) {
    const scheduledMs = waitsMs[number - 1];
    const report = await attemptDelivery({
      deliveryId,
      number,
      waitMs: scheduledMs === undefined ? null : jittered(scheduledMs, Math.random()),
      ...(inline && { onTheSpot: inline }),
    });
    inline = undefined;
    if ('deferred' in report) {
      await sleep(report.waitMs, { summary: showDeferral(report) });
      continue;
    }
    showDelivery(report, attemptsAllowed);
    if (isSettled(report)) return { status: report.status, attempts: report.attempts };
    await sleep(report.waitMs, { summary: waitSummary(report, attemptsAllowed) });
    number = report.attempts + 1;
  }
}
