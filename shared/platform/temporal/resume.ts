import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { DescribeWorkflowExecutionResponse as Description } from '@temporalio/client/lib/types.js';
import { defaultPayloadConverter } from '@temporalio/common';
import { searchAttributes } from '#contract/workflows.ts';
import { newUuid } from '../crypto/crypto.ts';
import type { Start, Starts } from './starts.ts';

/**
 * Starts a workflow if it is not running. If it is running, returns its description. A run that cannot go on is replaced, since
 * everything that a run needs is in its row. With `isOverdue`, so is a run that sleeps: what its row says is due, and it does not do it.
 */
export async function startUnlessRunning(
  client: Client,
  starts: Starts,
  started: Start,
  { isOverdue = false } = {},
): Promise<Description | 'replaced' | undefined> {
  const start = (workflowIdConflictPolicy: 'FAIL' | 'TERMINATE_EXISTING') =>
    client.workflow.start(started.workflowType, { ...started, workflowIdConflictPolicy });
  try {
    await start('FAIL');
    return undefined;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    // The client's own `describe` would decode all values, and a stranger may have added a value that cannot be decoded.
    const description = await client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId: started.workflowId },
    });
    const isStuck = isOverdue && isAsleep(description);
    if (!isStuck && canGoOn(starts, started, description)) return description;
    await start('TERMINATE_EXISTING');
    return 'replaced';
  }
}

/** True if the run waits for nothing but time or a message. */
export const isAsleep = (found: Description | 'replaced' | undefined): boolean =>
  typeof found === 'object' && (found.pendingActivities ?? []).length === 0 && !found.pendingWorkflowTask;

export type Run = { workflowId: string; runId: string };

/**
 * Begins a running workflow again if its workflow task was lost or failed. The new run has the input of the old run, and receives
 * its messages again.
 */
export async function resetIfTaskFailed(client: Client, run: Run): Promise<void> {
  const { namespace } = client.options;
  const { pendingWorkflowTask } = await client.workflowService.describeWorkflowExecution({
    namespace,
    execution: run,
  });
  if ((pendingWorkflowTask?.attempt ?? 0) <= 1) return;
  const { events } = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory();
  const firstTask = events?.find(({ workflowTaskCompletedEventAttributes: completed }) => completed);
  await client.workflowService.resetWorkflowExecution({
    namespace,
    workflowExecution: run,
    reason: 'begun by another build',
    workflowTaskFinishEventId: firstTask?.eventId ?? null,
    requestId: newUuid(),
  });
}

/** A workflow task that failed so often fails again and again, for example because somebody forged a value in the history. */
const failuresMax = 5;
const paused = 8;

/** False for a run of a stranger, a run whose key is no longer in SECRETS_KEY, a paused run, and a run whose task always fails. */
function canGoOn(
  { hasKey }: Starts,
  { workflowType, taskQueue }: Start,
  { workflowExecutionInfo: info, pendingWorkflowTask }: Description,
): boolean {
  const keyId = info?.searchAttributes?.indexedFields?.[searchAttributes.secretsKeyId.name];
  return (
    info?.type?.name === workflowType &&
    info.taskQueue === taskQueue &&
    Number(info.status) !== paused &&
    hasKey(keyId && defaultPayloadConverter.fromPayload(keyId)) &&
    (pendingWorkflowTask?.attempt ?? 0) <= failuresMax
  );
}
