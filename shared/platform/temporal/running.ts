import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import {
  searchAttributes,
  type TaskQueues,
  verificationWorkflowId,
  workflowNames,
} from '#contract/workflows.ts';
import { before } from './deadline.ts';
import type { Run } from './resume.ts';

type WorkflowName = keyof typeof workflowNames;

const countTimeoutMs = 2_000;

/** Questions about the running workflows. The answers may be slightly old, since Temporal updates its index with a delay. */
export type RunningWorkflows = {
  /** The ids of the verifications whose workflow is running. */
  runningVerifications(): AsyncIterable<string>;
  /** The number of running workflows by type. */
  countRunning(): Promise<Record<WorkflowName, number>>;
  /**
   * Counts the running verifications and deliveries by the key of SECRETS_KEY that encrypted their input. `ofKey` has these keys, by id.
   * `other` is the number of all others.
   */
  countRunsOfKeys(keyIds: readonly string[]): Promise<{ ofKey: Map<string, number>; other: number }>;
  /**
   * Terminates the running verifications and deliveries whose input is not encrypted. A version before the encryption started
   * them, or a stranger. Their rows start them again. Returns their number.
   */
  endUnencrypted(): Promise<number>;
};

/** `queues` are the queues of this product, since other products may use the same namespace. */
export function runningWorkflows(client: Client, queues: TaskQueues): RunningWorkflows {
  const ofRows = `WorkflowType IN ('${workflowNames.verification}', '${workflowNames.delivery}') AND TaskQueue IN ('${queues.verifications}', '${queues.webhooks}') AND ExecutionStatus = 'Running'`;
  const count = async (query: string) => (await client.workflow.count(query)).count;
  return {
    async *runningVerifications() {
      for await (const { workflowId } of found(client, running('verification')))
        yield workflowId.slice(verificationWorkflowId('').length);
    },

    countRunning: () =>
      before(client, Date.now() + countTimeoutMs, async () => {
        const names = Object.keys(workflowNames) as WorkflowName[];
        const counts = names.map(async (name) => [name, await count(running(name))]);
        return Object.fromEntries(await allEnded(counts));
      }),

    async countRunsOfKeys(keyIds) {
      const counts = keyIds.map(async (id) => [id, await count(`${ofRows} AND ${keyId} = '${id}'`)] as const);
      const ofKey = new Map(await Promise.all(counts));
      const known = [...ofKey.values()].reduce((sum, runs) => sum + runs, 0);
      return { ofKey, other: Math.max((await count(ofRows)) - known, 0) };
    },

    async endUnencrypted() {
      let ended = 0;
      for await (const run of found(client, `${ofRows} AND ${keyId} IS NULL`))
        ended += await terminated(client, run);
      return ended;
    },
  };
}

/** Waits also for those that follow a failure, because one that is still repeated ends the process when its connection closes. */
async function allEnded<Found>(asked: readonly Promise<Found>[]): Promise<Found[]> {
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

const keyId = searchAttributes.secretsKeyId.name;
const running = (name: WorkflowName) =>
  `WorkflowType = '${workflowNames[name]}' AND ExecutionStatus = 'Running'`;

/** The client's own `list` would decode all values, and a stranger may have added a value that cannot be decoded. */
async function* found(client: Client, query: string): AsyncIterable<Run> {
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const wanted = { namespace: client.options.namespace, query, nextPageToken };
    const page = await client.workflowService.listWorkflowExecutions(wanted);
    for (const { execution } of page.executions)
      yield { workflowId: execution?.workflowId ?? '', runId: execution?.runId ?? '' };
    nextPageToken = page.nextPageToken;
  } while (nextPageToken.length > 0);
}

/** Returns 0 if the run has ended in the meantime. */
const terminated = (client: Client, { workflowId, runId }: Run): Promise<0 | 1> =>
  client.workflow
    .getHandle(workflowId, runId)
    .terminate('its input is not encrypted')
    .then(
      () => 1,
      (error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return 0;
        throw error;
      },
    );
