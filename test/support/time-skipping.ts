import type { Client } from '@temporalio/client';

/** The error of a raw call. Its code is one of gRPC, such as 5 for NOT_FOUND. */
type GrpcError = { code?: number; details?: string };
const notFound = 5;

/**
 * Whenever this workflow waits for nothing but a timer, the server's clock for it jumps to the end of the timer. All other
 * clocks, also that of the database, go on as usual.
 */
export async function skipTime(client: Client, workflowId: string): Promise<void> {
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig: { enabled: true } },
    updateMask: { paths: ['time_skipping_config'] },
  });
}

/** Why this server cannot skip time. Undefined if it can: then only the workflow of this request is not found. */
export async function whyNoTimeSkipping(client: Client): Promise<string | undefined> {
  try {
    await skipTime(client, 'no-such-workflow');
    return undefined;
  } catch (error) {
    const { code, details } = error as GrpcError;
    return code === notFound ? undefined : `this Temporal server cannot skip time (${details ?? error})`;
  }
}
