import type { InjectedSinks } from '@temporalio/worker';
import { createFairQueue } from '#platform/limits/fair-queue.ts';
import type { Log } from '#platform/log.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import type { RunSinks } from '#workflows/own-history.ts';

const looksAtOnce = 5;
const looksMax = 10_000;

/**
 * Of a workflow task, the SDK reports only the first attempt as failed. So a run of another build whose first attempt was lost with
 * its worker would not end (docs/choices/upgrades.md). Such a run begins again.
 */
export function beginAgain(
  { temporal }: Pick<DeliveryContext, 'temporal'>,
  log: Log,
): InjectedSinks<RunSinks> {
  const looks = createFairQueue({ atOnceMax: looksAtOnce, waitingPerOwnerMax: looksMax });
  return {
    run: {
      begunByAnotherBuild: {
        callDuringReplay: true,
        // The workflow task does not wait for this.
        fn: ({ workflowId, runId }) =>
          void looks('runs', () => temporal.resetIfTaskFailed({ workflowId, runId })).catch((error) =>
            log.warn({ err: error, workflowId }, 'a run of another build could not begin again'),
          ),
      },
    },
  };
}
