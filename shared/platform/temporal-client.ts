import {
  Client,
  type ConnectionLike,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { type SearchAttributePair, TypedSearchAttributes } from '@temporalio/common';
import {
  type CompleteCommand,
  completeUpdate,
  createUpdate,
  type DeliveryInput,
  deliveryWorkflowId,
  type HousekeepingInput,
  type RecordedResult,
  type StartCommand,
  type SubmitCommand,
  scheduleIds,
  searchAttributes,
  startUpdate,
  submitUpdate,
  type TaskQueues,
  taskQueues,
  type VerificationInput,
  verificationWorkflowId,
  workflowNames,
} from '#contract/workflows.ts';
import { Unavailable } from './failures.ts';
import { tracedClient } from './telemetry/temporal.ts';
import { ensureHourlySchedule } from './temporal-schedule.ts';

/** Subtracted from a caller's deadline, so that the caller can still read the row once after a failure. */
const reserveMs = 1_000;
const startTimeoutMs = 5_000;
const scheduleTimeoutMs = 5_000;
const pingTimeoutMs = 2_000;
const countTimeoutMs = 2_000;

/**
 * Every call of the product to Temporal. The arguments hold identifiers, enums and counts, never a personal value (decision 38).
 * A `deadlineAt` is in milliseconds since 1970. A call with a deadline or a time-out throws `Unavailable` if it gets no answer.
 */
export type TemporalClient = {
  /**
   * Starts the verification's workflow, or joins the running one, and waits until its row is written
   * (docs/architecture.md#the-route-of-post-verifications).
   */
  openVerification(input: VerificationInput, deadlineAt: number): Promise<RecordedResult>;
  /** Completes a sandbox verification. Starts its workflow again if it was lost (decision 36). */
  completeVerification(
    input: VerificationInput,
    command: CompleteCommand,
    deadlineAt: number,
  ): Promise<RecordedResult>;
  /** Records that the person pressed Start on the hosted page (decision 6). */
  startVerification(
    input: VerificationInput,
    command: StartCommand,
    deadlineAt: number,
  ): Promise<RecordedResult>;
  /** Records that the person submitted all evidence. */
  submitVerification(
    input: VerificationInput,
    command: SubmitCommand,
    deadlineAt: number,
  ): Promise<RecordedResult>;
  /** Starts a verification's workflow again if it was lost. Does nothing while one is running. */
  resumeVerification(input: VerificationInput): Promise<void>;
  /** Starts a delivery's workflow. Does nothing while one is running. */
  startDelivery(input: DeliveryInput, timeoutMs?: number): Promise<void>;
  /** Creates the hourly schedule of housekeeping, or corrects it. A manual pause stays in force. */
  ensureHousekeeping(input: HousekeepingInput): Promise<void>;
  ping(): Promise<void>;
  /** Ids of the verifications whose workflow is running. Eventually consistent: the index of Temporal lags a little. */
  runningVerifications(): AsyncIterable<string>;
  /** The number of running workflows by type. Eventually consistent, as above. */
  countRunning(): Promise<Record<WorkflowName, number>>;
  /** Terminates a verification's workflow. The operator sees `reason` in its history. */
  endVerification(verificationId: string, reason: string): Promise<void>;
};

export type TemporalClientOptions = {
  namespace: string;
  queues?: TaskQueues;
  /** Id of the housekeeping schedule. A deployment has one; tests that run side by side need several. */
  housekeepingId?: string;
  /** Starts a delivery on the worker of this process, which saves one round trip. Needs that worker's connection. */
  eagerDeliveries?: boolean;
  /** Makes a span for each call and passes the trace on to the workflow. */
  traced?: boolean;
};

type WorkflowName = keyof typeof workflowNames;

export function createTemporalClient(
  connection: ConnectionLike,
  options: TemporalClientOptions,
): TemporalClient {
  const client = new Client({
    connection,
    namespace: options.namespace,
    interceptors: { workflow: options.traced ? [tracedClient] : [] },
  });
  const queues = options.queues ?? taskQueues;
  return {
    ...verificationCalls(client, queues),
    ...visibilityCalls(client),

    startDelivery: (input, timeoutMs = startTimeoutMs) =>
      startDelivery(client, queues, input, timeoutMs, options.eagerDeliveries ?? false),

    ensureHousekeeping: (input) =>
      before(client, Date.now() + scheduleTimeoutMs, () =>
        ensureHourlySchedule(client.schedule, options.housekeepingId ?? scheduleIds.housekeeping, {
          type: 'startWorkflow',
          workflowType: workflowNames.housekeeping,
          taskQueue: queues.verifications,
          args: [input],
        }),
      ),

    endVerification: async (verificationId, reason) =>
      void (await client.workflow.getHandle(verificationWorkflowId(verificationId)).terminate(reason)),

    ping: () =>
      before(
        client,
        Date.now() + pingTimeoutMs,
        async () => void (await connection.workflowService.getSystemInfo({})),
      ),
  };
}

const before = <T>(client: Client, deadlineAt: number, call: () => Promise<T>): Promise<T> =>
  client.withDeadline(deadlineAt, call).catch((error: unknown) => {
    throw new Unavailable('temporal', error);
  });

type VerificationCalls = Pick<
  TemporalClient,
  | 'openVerification'
  | 'completeVerification'
  | 'startVerification'
  | 'submitVerification'
  | 'resumeVerification'
>;

function verificationCalls(client: Client, queues: TaskQueues): VerificationCalls {
  const update = (
    input: VerificationInput,
    name: string,
    updateId: string,
    args: unknown[],
    deadlineAt: number,
  ) =>
    before(client, deadlineAt - reserveMs, () =>
      client.workflow.executeUpdateWithStart<never, RecordedResult, unknown[]>(name, {
        updateId,
        args,
        startWorkflowOperation: new WithStartWorkflowOperation(
          workflowNames.verification,
          verificationStart(input, queues),
        ) as WithStartWorkflowOperation<never>,
      }),
    );

  return {
    openVerification: (input, deadlineAt) =>
      update(input, createUpdate.name, createUpdate.id, [], deadlineAt),

    completeVerification: (input, command, deadlineAt) =>
      update(input, completeUpdate.name, command.requestId, [command], deadlineAt),

    startVerification: (input, command, deadlineAt) =>
      update(input, startUpdate.name, command.requestId, [command], deadlineAt),

    submitVerification: (input, command, deadlineAt) =>
      update(input, submitUpdate.name, command.requestId, [command], deadlineAt),

    // No update-with-start: if a closed run has answered that update, the server returns its answer and starts no new run.
    resumeVerification: (input) =>
      before(
        client,
        Date.now() + startTimeoutMs,
        async () =>
          void (await client.workflow.start(workflowNames.verification, verificationStart(input, queues))),
      ),
  };
}

/** A new run of the workflow continues from the row, wherever the lost run stopped. */
const verificationStart = (input: VerificationInput, queues: TaskQueues) =>
  ({
    workflowId: verificationWorkflowId(input.verificationId),
    taskQueue: queues.verifications,
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [input],
    staticSummary: `${input.environment} verification by ${input.method}`,
    typedSearchAttributes: attributesOf(input),
  }) as const;

async function startDelivery(
  client: Client,
  queues: TaskQueues,
  input: DeliveryInput,
  timeoutMs: number,
  requestEagerStart: boolean,
): Promise<void> {
  const start = () =>
    client.workflow.start(workflowNames.delivery, {
      workflowId: deliveryWorkflowId(input.deliveryId),
      taskQueue: queues.webhooks,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [input],
      staticSummary: `${input.environment} webhook delivery, at most ${input.waitsMs.length + 1} attempts`,
      typedSearchAttributes: attributesOf(input),
      priority: { fairnessKey: input.orgId },
      requestEagerStart,
    });
  await client.withDeadline(Date.now() + timeoutMs, start).catch((error: unknown) => {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw new Unavailable('temporal', error);
  });
}

function visibilityCalls(client: Client): Pick<TemporalClient, 'runningVerifications' | 'countRunning'> {
  const running = (name: WorkflowName) =>
    `WorkflowType = '${workflowNames[name]}' AND ExecutionStatus = 'Running'`;
  return {
    async *runningVerifications() {
      for await (const { workflowId } of client.workflow.list({ query: running('verification') }))
        yield workflowId.slice(verificationWorkflowId('').length);
    },

    countRunning: () =>
      before(client, Date.now() + countTimeoutMs, async () => {
        const names = Object.keys(workflowNames) as WorkflowName[];
        const counts = names.map(async (name) => [name, (await client.workflow.count(running(name))).count]);
        return Object.fromEntries(await Promise.all(counts));
      }),
  };
}

function attributesOf(input: VerificationInput | DeliveryInput): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [
    { key: searchAttributes.orgId, value: input.orgId },
    { key: searchAttributes.environment, value: input.environment },
  ];
  if (input.verificationId !== null)
    pairs.push({ key: searchAttributes.verificationId, value: input.verificationId });
  return new TypedSearchAttributes(pairs);
}
