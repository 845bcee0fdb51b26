import {
  type Client,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { type CommandRef, type RecordedResult, workflowNames } from '#contract/workflows.ts';
import { createFairQueue } from '../limits/fair-queue.ts';
import { before } from './deadline.ts';
import { startUnlessRunning } from './resume.ts';
import type { Starts, VerificationStart } from './starts.ts';

/** The caller's deadline is shortened by this time. If the call fails, the caller still has time to read the row once. */
const reserveMs = 1_000;
const looksAtOnce = 5;

/**
 * Returns a function that sends an update to the workflow of a verification, and starts the workflow if it is not running. Returns
 * what the update returns. If the run ends while it has the update, the next run gets it. `resume` replaces a run that cannot go on.
 */
export function updateWithStart(
  client: Client,
  starts: Starts,
  resume: (verification: VerificationStart) => Promise<unknown>,
) {
  // While Temporal is overloaded, every update fails. Then few runs are looked at, so that the looks add no load.
  const looks = createFairQueue({ atOnceMax: looksAtOnce, waitingPerOwnerMax: looksAtOnce });

  return async (
    verification: VerificationStart,
    name: string,
    updateId: string,
    args: CommandRef[],
    deadlineAt: number,
  ): Promise<RecordedResult> => {
    const send = () =>
      client.workflow.executeUpdateWithStart<never, RecordedResult, CommandRef[]>(name, {
        updateId,
        args,
        startWorkflowOperation: new WithStartWorkflowOperation(
          workflowNames.verification,
          starts.verification(verification),
        ) as WithStartWorkflowOperation<never>,
      });
    const sendToNextRun = async (error: unknown) => {
      if (!hasLostRun(error)) throw error;
      await startUnlessRunning(client, starts, starts.verification(verification));
      return send();
    };
    try {
      return await before(client, deadlineAt - reserveMs, () => send().catch(sendToNextRun));
    } catch (error) {
      // If the run cannot go on, the caller's next try finds a new run.
      looks('runs', () => resume(verification)).catch(() => undefined);
      throw error;
    }
  };
}

/** The server's answer if a task of the workflow failed while it had the update. */
const failedPrecondition = 9;

/** True if the run ended while it had the update, for example because a worker of another build took it over. */
const hasLostRun = (error: unknown): boolean =>
  error instanceof WorkflowUpdateFailedError ||
  error instanceof WorkflowNotFoundError ||
  (isGrpcServiceError(error) && error.code === failedPrecondition);
