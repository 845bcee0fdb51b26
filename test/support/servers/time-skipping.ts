import type { Client } from '@temporalio/client';

/** The error of a raw call. Its code is a gRPC code, such as 5 for NOT_FOUND. */
type GrpcError = { code?: number; details?: string };
const notFound = 5;

/**
 * If this workflow waits for nothing but a timer, the server moves the clock of the workflow to the end of the timer. All other
 * clocks continue as usual, also the clock of the database.
 */
export async function skipTime(client: Client, workflowId: string): Promise<void> {
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig: { enabled: true } },
    updateMask: { paths: ['time_skipping_config'] },
  });
}

/**
 * Returns the reason why this server cannot skip time, or undefined if it can. A server that can do so answers NOT_FOUND here,
 * since the workflow does not exist.
 */
export async function whyNoTimeSkipping(client: Client): Promise<string | undefined> {
  try {
    await skipTime(client, 'no-such-workflow');
    return undefined;
  } catch (error) {
    const { code, details } = error as GrpcError;
    return code === notFound ? undefined : `this Temporal server cannot skip time (${details ?? error})`;
  }
}
