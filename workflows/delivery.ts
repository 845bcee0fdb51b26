import { condition, defineSignal, setHandler } from '@temporalio/workflow';
import { type DeliveryInput, type DeliveryResult, isSettled, wakeSignal } from '#contract/workflows.ts';
import { jittered } from '#policy/retry-schedule.ts';
import { attemptDelivery } from './activities.ts';
import { showDeferral, showDelivery, waitSummary } from './operator-view.ts';

/**
 * Delivers one event to one endpoint. The workflow repeats attempt and wait as long as the schedule has waits (specification 6.4;
 * decision 28). A deferred attempt is requested again and does not count. The rows record all attempts, so a run that replaces a
 * lost run continues after the last recorded attempt. The signal `wake` ends a wait early, and then the row says what is due.
 */
export async function delivery({ deliveryId, waitsMs, onTheSpot }: DeliveryInput): Promise<DeliveryResult> {
  const attemptsAllowed = waitsMs.length + 1;
  const alarm = createAlarm();
  let begun = onTheSpot;
  let woken = false;
  for (let number = 1; ; ) {
    const scheduledMs = waitsMs[number - 1];
    const report = await attemptDelivery({
      deliveryId,
      number,
      waitMs: scheduledMs === undefined ? null : jittered(scheduledMs, Math.random()),
      ...(begun && { onTheSpot: begun }),
      ...(woken && { woken }),
    });
    begun = undefined;
    if ('deferred' in report) {
      woken = await alarm.sleep(report.waitMs, showDeferral(report));
      continue;
    }
    showDelivery(report, attemptsAllowed);
    if (isSettled(report)) return { status: report.status, attempts: report.attempts };
    woken = await alarm.sleep(report.waitMs, waitSummary(report, attemptsAllowed));
    number = report.attempts + 1;
  }
}

const wake = defineSignal(wakeSignal);

/** Sleeps that the signal `wake` ends. A signal during an attempt ends the next sleep. */
function createAlarm() {
  let rings = false;
  setHandler(wake, () => {
    rings = true;
  });
  return {
    /** Returns true if the sleep was ended early. The SDK treats a wait of 0 ms as no limit. */
    async sleep(ms: number, summary: string): Promise<boolean> {
      const isWoken = await condition(() => rings, Math.max(ms, 1), { summary });
      rings = false;
      return isWoken;
    },
  };
}
