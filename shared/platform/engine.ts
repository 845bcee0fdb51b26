import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  Client,
  Connection,
  type ConnectionLike,
  ScheduleAlreadyRunning,
  type ScheduleClient,
  type ScheduleDescription,
  ScheduleNotFoundError,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/client';
import { type SearchAttributePair, TypedSearchAttributes } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
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
import type { TemporalConfig } from './config.ts';
import { Unavailable } from './failures.ts';
import { tracedClient } from './telemetry/temporal.ts';

/** Kept back of a caller's deadline to read the outcome once more after a failure. */
const reserveMs = 1_000;
const startTimeoutMs = 5_000;
const scheduleTimeoutMs = 5_000;
const pingTimeoutMs = 2_000;
const countTimeoutMs = 2_000;

/** What the product asks of Temporal. Only identifiers, enums and counts go in (decision 38). */
export type Engine = {
  /** Starts the verification's workflow, or joins it, and waits for its row (docs/architecture.md#the-route-of-post-verifications). */
  openVerification(input: VerificationInput, deadlineAt: number): Promise<RecordedResult>;
  /** Completes a sandbox verification; starts its workflow again should it be lost (decision 36). */
  completeVerification(
    input: VerificationInput,
    command: CompleteCommand,
    deadlineAt: number,
  ): Promise<RecordedResult>;
  /** The person pressed Start on the hosted page (decision 6). */
  startVerification(
    input: VerificationInput,
    command: StartCommand,
    deadlineAt: number,
  ): Promise<RecordedResult>;
  /** The person handed everything in. */
  submitVerification(
    input: VerificationInput,
    command: SubmitCommand,
    deadlineAt: number,
  ): Promise<RecordedResult>;
  /** Starts a verification's workflow again, should it be lost; one that is running is left alone. */
  resumeVerification(input: VerificationInput): Promise<void>;
  /** Starts a delivery's workflow, or gives up after that time; one that is running already is left alone. */
  startDelivery(input: DeliveryInput, timeoutMs?: number): Promise<void>;
  /** Sees to it that housekeeping runs every hour, in the way of this version of the product. A pause by hand stays. */
  ensureHousekeeping(input: HousekeepingInput): Promise<void>;
  ping(): Promise<void>;
  /** Ids of the verifications whose workflow runs. Visibility lags a little behind. */
  runningVerifications(): AsyncIterable<string>;
  /** How many workflows run, by type. Visibility lags a little behind. */
  countRunning(): Promise<Record<WorkflowName, number>>;
  /** Ends a verification's workflow that has nothing left to do. */
  endVerification(verificationId: string, reason: string): Promise<void>;
};

export type EngineOptions = {
  namespace: string;
  queues?: TaskQueues;
  /** Id of the schedule of housekeeping, of which a deployment has one. */
  housekeepingId?: string;
  /** Start a delivery on the worker of this very process, which saves a hand-over; needs that worker's connection. */
  eagerDeliveries?: boolean;
  /** Spans of the calls are made, and go on in the workflows. */
  traced?: boolean;
};

type WorkflowName = keyof typeof workflowNames;

export function createEngine(connection: ConnectionLike, options: EngineOptions): Engine {
  const client = new Client({
    connection,
    namespace: options.namespace,
    interceptors: { workflow: options.traced ? [tracedClient] : [] },
  });
  const queues = options.queues ?? taskQueues;
  const until = <T>(deadlineAt: number, call: () => Promise<T>) =>
    client.withDeadline(deadlineAt, call).catch((error: unknown) => {
      throw new Unavailable('temporal', error);
    });

  /** Any run takes up where the one before was lost. */
  const startOf = (input: VerificationInput) =>
    ({
      workflowId: verificationWorkflowId(input.verificationId),
      taskQueue: queues.verifications,
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      args: [input],
      staticSummary: `${input.environment} verification by ${input.method}`,
      typedSearchAttributes: attributes(input),
    }) as const;

  const updateVerification = <Result>(
    input: VerificationInput,
    update: string,
    updateId: string,
    args: unknown[],
    deadlineAt: number,
  ) =>
    until(deadlineAt - reserveMs, () =>
      client.workflow.executeUpdateWithStart<never, Result, unknown[]>(update, {
        updateId,
        args,
        startWorkflowOperation: new WithStartWorkflowOperation(
          workflowNames.verification,
          startOf(input),
        ) as WithStartWorkflowOperation<never>,
      }),
    );

  return {
    openVerification: (input, deadlineAt) =>
      updateVerification(input, createUpdate.name, createUpdate.id, [], deadlineAt),

    completeVerification: (input, command, deadlineAt) =>
      updateVerification(input, completeUpdate.name, command.requestId, [command], deadlineAt),

    startVerification: (input, command, deadlineAt) =>
      updateVerification(input, startUpdate.name, command.requestId, [command], deadlineAt),

    submitVerification: (input, command, deadlineAt) =>
      updateVerification(input, submitUpdate.name, command.requestId, [command], deadlineAt),

    // Not by update-with-start: that would be content with an update that a closed run has answered.
    resumeVerification: (input) =>
      until(
        Date.now() + startTimeoutMs,
        async () => void (await client.workflow.start(workflowNames.verification, startOf(input))),
      ),

    async startDelivery(input, timeoutMs = startTimeoutMs) {
      const start = () =>
        client.workflow.start(workflowNames.delivery, {
          workflowId: deliveryWorkflowId(input.deliveryId),
          taskQueue: queues.webhooks,
          workflowIdConflictPolicy: 'FAIL',
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          args: [input],
          staticSummary: `${input.environment} webhook delivery, at most ${input.waitsMs.length + 1} attempts`,
          typedSearchAttributes: attributes(input),
          priority: { fairnessKey: input.orgId },
          requestEagerStart: options.eagerDeliveries ?? false,
        });
      await client.withDeadline(Date.now() + timeoutMs, start).catch((error: unknown) => {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError))
          throw new Unavailable('temporal', error);
      });
    },

    ensureHousekeeping: (input) =>
      until(Date.now() + scheduleTimeoutMs, () =>
        ensureSchedule(client.schedule, options.housekeepingId ?? scheduleIds.housekeeping, {
          type: 'startWorkflow',
          workflowType: workflowNames.housekeeping,
          taskQueue: queues.verifications,
          args: [input],
        }),
      ),

    async *runningVerifications() {
      const query = `WorkflowType = '${workflowNames.verification}' AND ExecutionStatus = 'Running'`;
      for await (const { workflowId } of client.workflow.list({ query }))
        yield workflowId.slice(verificationWorkflowId('').length);
    },

    countRunning: () =>
      until(Date.now() + countTimeoutMs, async () => {
        const names = Object.keys(workflowNames) as WorkflowName[];
        const counts = await Promise.all(
          names.map((name) =>
            client.workflow.count(`WorkflowType = '${workflowNames[name]}' AND ExecutionStatus = 'Running'`),
          ),
        );
        return Object.fromEntries(names.map((name, i) => [name, counts[i]?.count ?? 0])) as Record<
          WorkflowName,
          number
        >;
      }),

    endVerification: async (verificationId, reason) =>
      void (await client.workflow.getHandle(verificationWorkflowId(verificationId)).terminate(reason)),

    ping: () =>
      until(
        Date.now() + pingTimeoutMs,
        async () => void (await connection.workflowService.getSystemInfo({})),
      ),
  };
}

/** As the server gives it back. A run that is missed needs no catching up: the next one does its work as well. */
const hourly = {
  spec: { calendars: [], intervals: [{ every: 3_600_000, offset: 0 }], jitter: 300_000 },
  policies: { overlap: 'SKIP', catchupWindow: 600_000, pauseOnFailure: false },
} satisfies Pick<ScheduleDescription, 'spec' | 'policies'>;

type ScheduledWorkflow = { type: 'startWorkflow'; workflowType: string; taskQueue: string; args: unknown[] };

/** Creates the schedule when it is missing, and changes one that is not as it should be. Several may do so at once. */
async function ensureSchedule(
  schedules: ScheduleClient,
  scheduleId: string,
  workflow: ScheduledWorkflow,
): Promise<void> {
  const wanted = { ...hourly, action: { ...workflow, workflowId: scheduleId } };
  const schedule = schedules.getHandle(scheduleId);
  try {
    if (!isAs(wanted, await schedule.describe()))
      await schedule.update(({ state }) => ({ ...wanted, state }));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await schedules.create({ scheduleId, ...wanted }).catch((failure: unknown) => {
      if (!(failure instanceof ScheduleAlreadyRunning)) throw failure;
    });
  }
}

type ScheduleParts = Pick<ScheduleDescription, 'spec' | 'policies' | 'action'>;

/** Compares what is wanted; what the server adds of its own does not count. */
const isAs = (wanted: ScheduleParts, found: ScheduleParts): boolean =>
  (['spec', 'policies', 'action'] as const).every((part) =>
    Object.entries(wanted[part]).every(([name, value]) =>
      isDeepStrictEqual((found[part] as Record<string, unknown>)[name], value),
    ),
  );

function attributes(input: VerificationInput | DeliveryInput): TypedSearchAttributes {
  const pairs: SearchAttributePair[] = [
    { key: searchAttributes.orgId, value: input.orgId },
    { key: searchAttributes.environment, value: input.environment },
  ];
  if (input.verificationId !== null)
    pairs.push({ key: searchAttributes.verificationId, value: input.verificationId });
  return new TypedSearchAttributes(pairs);
}

/** The connection of a process that runs no worker. It connects at the first call, so Temporal may come up later. */
export async function lazyConnection(temporal: TemporalConfig, address: string): Promise<Connection> {
  const tls = await tlsOf(temporal);
  return Connection.lazy({
    address,
    ...(tls && { tls }),
    ...(temporal.apiKey && { apiKey: temporal.apiKey }),
  });
}

/** The PEM files that TEMPORAL_TLS_* name, in the form that both of the SDK's connections take. */
export async function tlsOf({ tls }: TemporalConfig) {
  if (tls === undefined) return undefined;
  const [ca, cert, key] = await Promise.all(
    [tls.ca, tls.cert, tls.key].map(async (path) => (path === undefined ? undefined : await readFile(path))),
  );
  return {
    ...(ca && { serverRootCACertificate: ca }),
    ...(cert && key && { clientCertPair: { crt: cert, key } }),
  };
}

const retentionMs = 7 * 86_400_000;
const indexedValueTypes = { KEYWORD: 2, INT: 3, DATETIME: 6 } as const;

/** Makes Temporal ready for the product: namespace and search attributes registered, closed histories kept for seven days. */
export async function prepareNamespace(
  connection: ConnectionLike & Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<void> {
  if (await isMissing(connection, namespace)) await registerNamespace(connection, namespace);
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(searchAttributes).filter(
    ({ name }) => customAttributes?.[name] === undefined,
  );
  if (missing.length > 0)
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map(({ name, type }) => [name, indexedValueTypes[type]])),
    });
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: msToTs(retentionMs) },
  });
}

/** As gRPC numbers them. */
const alreadyExists = 6;
const notFound = 5;
const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

async function isMissing({ workflowService }: ConnectionLike, namespace: string): Promise<boolean> {
  try {
    await workflowService.describeNamespace({ namespace });
    return false;
  } catch (error) {
    if (codeOf(error) === notFound) return true;
    throw error;
  }
}

const namespaceKnownWithinMs = 60_000;

/** Somebody else may do so at the same time. It is known everywhere in the server a few seconds later, and only then usable. */
async function registerNamespace({ workflowService }: ConnectionLike, namespace: string): Promise<void> {
  await workflowService
    .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(retentionMs) })
    .catch((error: unknown) => {
      if (codeOf(error) !== alreadyExists) throw error;
    });
  for (const until = Date.now() + namespaceKnownWithinMs; ; await pause(500))
    try {
      return void (await workflowService.countWorkflowExecutions({ namespace }));
    } catch (error) {
      if (codeOf(error) !== notFound || Date.now() > until) throw error;
    }
}
