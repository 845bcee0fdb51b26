import {
  Client,
  type ConnectionLike,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  type WorkflowOptions,
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
  wakeSignal,
  workflowNames,
} from '#contract/workflows.ts';
import { Unavailable } from './failures.ts';
import { tracedClient } from './telemetry/temporal.ts';
import { ensureHourlySchedule } from './temporal-schedule.ts';

/** The caller's deadline is shortened by this time. If the call fails, the caller still has time to read the row once. */
const reserveMs = 1_000;
const startTimeoutMs = 5_000;
const scheduleTimeoutMs = 5_000;
const pingTimeoutMs = 2_000;
const countTimeoutMs = 2_000;

/**
 * The calls of the product to Temporal. The arguments are identifiers, enums and counts, never personal values (decision 38). A
 * `deadlineAt` is in milliseconds since 1970. If a call fails, it throws `Unavailable`, except `runningVerifications` and
 * `endVerification`.
 */
export type TemporalClient = {
  /**
   * Starts the workflow of the verification, or uses the workflow that is already running. Returns when the workflow has written
   * the row or found that it must not write it (docs/architecture.md#the-route-of-post-verifications).
   */
  openVerification(input: VerificationInput, deadlineAt: number): Promise<RecordedResult>;
  /** Completes a sandbox verification. If the workflow was lost, starts it again (decision 36). */
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
  /** Starts the workflow of a verification again if it was lost. If the workflow is running, does nothing. */
  resumeVerification(input: VerificationInput): Promise<void>;
  /** Ends the running workflow of a verification, if any, and starts it again from the row. */
  replaceVerification(input: VerificationInput): Promise<void>;
  /** Starts the workflow of a delivery. If the workflow is running, does nothing. */
  startDelivery(input: DeliveryInput, timeoutMs?: number): Promise<void>;
  /** Starts the workflow of a delivery. If the workflow is running and makes no attempt, it looks at its row again. */
  wakeDelivery(input: DeliveryInput): Promise<void>;
  /**
   * Creates or corrects the hourly schedule of housekeeping. A schedule that an operator paused stays paused.
   */
  ensureHousekeeping(input: HousekeepingInput): Promise<void>;
  ping(): Promise<void>;
  /**
   * The ids of the verifications whose workflow is running. The result may be slightly old, since Temporal updates its index with a
   * delay.
   */
  runningVerifications(): AsyncIterable<string>;
  /** The number of running workflows by type. The result may be slightly old, since Temporal updates its index with a delay. */
  countRunning(): Promise<Record<WorkflowName, number>>;
  /** Terminates the workflow of a verification. The operator can read `reason` in the history of the workflow. */
  endVerification(verificationId: string, reason: string): Promise<void>;
};

export type TemporalClientOptions = {
  namespace: string;
  queues?: TaskQueues;
  /** The id of the housekeeping schedule. A deployment has one schedule. Tests that run in parallel need separate schedules. */
  housekeepingId?: string;
  /**
   * Starts a delivery on the worker of this process, which saves one round trip. The option requires that the client uses the
   * connection of that worker.
   */
  eagerDeliveries?: boolean;
  /** Creates a span for each call and passes the trace context to the workflow. */
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

    wakeDelivery: (input) =>
      before(client, Date.now() + startTimeoutMs, () => wakeDelivery(client, queues, input)),

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
  | 'replaceVerification'
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

  const start = (input: VerificationInput, options: Pick<WorkflowOptions, 'workflowIdConflictPolicy'> = {}) =>
    before(client, Date.now() + startTimeoutMs, async () => {
      const started = { ...verificationStart(input, queues), ...options };
      await client.workflow.start(workflowNames.verification, started);
    });

  return {
    openVerification: (input, deadlineAt) =>
      update(input, createUpdate.name, createUpdate.id, [], deadlineAt),

    completeVerification: (input, command, deadlineAt) =>
      update(input, completeUpdate.name, command.requestId, [command], deadlineAt),

    startVerification: (input, command, deadlineAt) =>
      update(input, startUpdate.name, command.requestId, [command], deadlineAt),

    submitVerification: (input, command, deadlineAt) =>
      update(input, submitUpdate.name, command.requestId, [command], deadlineAt),

    // Update-with-start is not used here. If a closed run has already answered the update, the server would return that answer and
    // start no new run.
    resumeVerification: (input) => start(input),
    replaceVerification: (input) => start(input, { workflowIdConflictPolicy: 'TERMINATE_EXISTING' }),
  };
}

/** The id of an ended run may be used again. If a run was lost, a new run reads the row and continues from its state. */
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
    client.workflow.start(workflowNames.delivery, { ...deliveryStart(input, queues), requestEagerStart });
  await client.withDeadline(Date.now() + timeoutMs, start).catch((error: unknown) => {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw new Unavailable('temporal', error);
  });
}

const deliveryStart = (input: DeliveryInput, queues: TaskQueues) =>
  ({
    workflowId: deliveryWorkflowId(input.deliveryId),
    taskQueue: queues.webhooks,
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [input],
    staticSummary: `${input.environment} webhook delivery, at most ${input.waitsMs.length + 1} attempts`,
    typedSearchAttributes: attributesOf(input),
    priority: { fairnessKey: input.orgId },
  }) as const;

/** While an attempt is made or waits for a worker, a signal would only make the history longer. */
async function wakeDelivery(client: Client, queues: TaskQueues, input: DeliveryInput): Promise<void> {
  try {
    await client.workflow.start(workflowNames.delivery, deliveryStart(input, queues));
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const running = client.workflow.getHandle(deliveryWorkflowId(input.deliveryId));
    const { raw } = await running.describe();
    const isAsleep = (raw.pendingActivities ?? []).length === 0 && !raw.pendingWorkflowTask;
    if (isAsleep) await running.signal(wakeSignal).catch(unlessEnded);
  }
}

function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
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
