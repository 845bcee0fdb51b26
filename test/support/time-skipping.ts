import type { Client } from '@temporalio/client';

/** What the raw calls throw; a code of gRPC, such as 5 for NOT_FOUND. */
type GrpcError = { code?: number; details?: string };
const notFound = 5;

/**
 * From now on, whenever this workflow waits for nothing but a timer, the server's clock for it jumps to the end of that timer.
 * The clocks of everything else, the database's among them, stay as they are.
 */
export async function skipTime(client: Client, workflowId: string): Promise<void> {
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig: { enabled: true } },
    updateMask: { paths: ['time_skipping_config'] },
  });
}

/** Why this server cannot skip time, or undefined when it can. It judges the request before it looks for the workflow. */
export async function whyNoTimeSkipping(client: Client): Promise<string | undefined> {
  try {
    await skipTime(client, 'no-such-workflow');
    return undefined;
  } catch (error) {
    const { code, details } = error as GrpcError;
    return code === notFound ? undefined : `this Temporal server cannot skip time (${details ?? error})`;
  }
}
