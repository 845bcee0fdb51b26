import { ParentClosePolicy, setCurrentDetails, startChild, workflowInfo } from '@temporalio/workflow';
import { type PurgeInput, purgeWorkflowId } from '#contract/workflows.ts';
import { purges } from '#policy/retention.ts';
import { purge } from './purge.ts';

/**
 * Starts a workflow for each kind of data, which purges what has expired (decision 21). A schedule starts this workflow every hour.
 * It does not wait for the purges, so a kind that cannot be purged delays no other kind. It has no input and no result, because
 * Temporal would hand them from run to run, and an encrypted value belongs to one run.
 */
export async function housekeeping(): Promise<void> {
  const running: string[] = [];
  for (const input of purges) if (!(await startPurge(input))) running.push(input.what);
  if (running.length > 0) setCurrentDetails(`Still running from an hour before: ${running.join(', ')}.`);
}

/**
 * Returns false if the purge still runs from an hour before. It then goes on. If a run lasts for an hour, something stops it, so it ends and the next one
 * begins anew.
 */
async function startPurge(input: PurgeInput): Promise<boolean> {
  try {
    await startChild(purge, {
      workflowId: purgeWorkflowId(workflowInfo().workflowId, input.what),
      args: [input],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowRunTimeout: '1h',
      staticSummary: `purges ${input.what}`,
    });
    return true;
  } catch (error) {
    if ((error as Error).name !== 'WorkflowExecutionAlreadyStartedError') throw error;
    return false;
  }
}
