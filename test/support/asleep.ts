import { vi } from 'vitest';
import { verificationWorkflowId } from '#contract/workflows.ts';
import type { Harness } from './harness.ts';

/**
 * Waits until the run of a verification waits for time or a message, or has ended. Before that it is at work: it may have read the row
 * already, or not yet.
 */
export const untilAsleep = ({ temporal }: Pick<Harness, 'temporal'>, verificationId: string) =>
  vi.waitFor(async () => {
    const { pendingWorkflowTask } = await temporal.workflowService.describeWorkflowExecution({
      namespace: temporal.options.namespace,
      execution: { workflowId: verificationWorkflowId(verificationId) },
    });
    if (pendingWorkflowTask) throw new Error('the run is at work');
  }, 30_000);
