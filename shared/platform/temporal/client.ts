import {
  Client,
  type ConnectionLike,
  ScheduleClient,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import {
  type CommandRef,
  completeUpdate,
  createUpdate,
  type DeliveryInput,
  type DossierMade,
  declineUpdate,
  deliveryWorkflowId,
  type MakeDossier,
  type RecordedResult,
  reviewUpdate,
  scheduleIds,
  startUpdate,
  submitUpdate,
  type TaskQueues,
  taskQueues,
  verificationWorkflowId,
  wakeSignal,
  workflowNames,
} from '#contract/workflows.ts';
import type { Secrets } from '../crypto/crypto.ts';
import { Unavailable } from '../failures.ts';
import { tracedClient } from '../telemetry/temporal.ts';
import { createCodec } from './codec.ts';
import { before } from './deadline.ts';
import { isAsleep, type Run, resetIfTaskFailed, startUnlessRunning } from './resume.ts';
import { type RunningWorkflows, runningWorkflows } from './running.ts';
import { ensureHourlySchedule, isPaused } from './schedule.ts';
import { type Start, type Starts, startsOf, type VerificationStart } from './starts.ts';
import { type WorkflowStep, workflowSteps } from './steps.ts';
import { updateWithStart } from './update.ts';

const startTimeoutMs = 5_000;
const scheduleTimeoutMs = 5_000;
/** For a question whose answer can be left out. */
const askTimeoutMs = 2_000;

const updates = {
  start: startUpdate,
  submit: submitUpdate,
  decline: declineUpdate,
  complete: completeUpdate,
  review: reviewUpdate,
};

/**
 * The calls of the product to Temporal. The arguments are identifiers, enums and counts, never personal values (decision 38). A
 * `deadlineAt` is in milliseconds since 1970. If a call fails, it throws `Unavailable`, except `runningVerifications` and
 * `endVerification`.
 */
export type TemporalClient = RunningWorkflows & {
  /**
   * Starts the workflow of the verification, or uses the workflow that is already running. Returns when the workflow has written
   * the row or found that it must not write it (docs/architecture.md#the-route-of-post-verifications).
   */
  openVerification(verification: VerificationStart, deadlineAt: number): Promise<RecordedResult>;
  /** Asks for the start of the workflow of a verification. Does nothing if it is running. */
  startVerification(verification: VerificationStart): Promise<void>;
  /**
   * Has a stored command carried out (`store/verifications/commands.ts`), or a stored decision (`store/reviews/reviews.ts`). If the workflow was lost, starts it again (decision 36). Returns when
   * the command was carried out or can change nothing.
   */
  command(
    verification: VerificationStart,
    name: keyof typeof updates,
    command: CommandRef,
    deadlineAt: number,
  ): Promise<RecordedResult>;
  /**
   * Starts the workflow of a verification if it was lost or cannot go on. If the workflow is running and sleeps, it looks at its row
   * again, since the row may be older than the workflow.
   */
  resumeVerification(verification: VerificationStart): Promise<void>;
  /**
   * Starts the workflow of a verification again whose row says that something is overdue, unless the workflow is at work on something.
   * One that sleeps is replaced. A signal would not do: after Temporal came back older, a worker may have a run in its cache that is
   * ahead of Temporal, and takes no notice of what is new.
   */
  restartVerification(verification: VerificationStart): Promise<void>;
  /** Ends the running workflow of a verification, if any, and starts it again from the row. */
  replaceVerification(verification: VerificationStart): Promise<void>;
  /** Makes the running workflow of a verification look at its row again. Does nothing if there is none. */
  wakeVerification(verificationId: string): Promise<void>;
  /** Begins a run again if its workflow task was lost or failed. Otherwise does nothing. */
  resetIfTaskFailed(run: Run): Promise<void>;
  /** Starts the workflow of a delivery. If the workflow is running, does nothing. */
  startDelivery(input: DeliveryInput, timeoutMs?: number): Promise<void>;
  /**
   * Starts the workflow of a delivery if it was lost or cannot go on. If the workflow is running and makes no attempt, it looks at
   * its row again.
   */
  wakeDelivery(input: DeliveryInput): Promise<void>;
  /** Starts the workflow of a delivery again that is overdue, unless it makes or awaits an attempt (`restartVerification`). */
  restartDelivery(input: DeliveryInput): Promise<void>;
  /**
   * Creates or corrects the hourly schedule of housekeeping. A schedule that an operator paused stays paused. Returns true if it is
   * paused.
   */
  ensureHousekeeping(): Promise<boolean>;
  /** Undefined if there is no schedule of housekeeping. */
  isHousekeepingPaused(): Promise<boolean | undefined>;
  /** Has a dossier made that was ordered, and waits for it. After the deadline it is made all the same. */
  makeDossier(order: MakeDossier, deadlineAt: number): Promise<DossierMade>;
  ping(): Promise<void>;
  /** What the workflow of a verification did, oldest first. Empty after Temporal has forgotten it. */
  stepsOfVerification(verificationId: string): Promise<WorkflowStep[]>;
  /** Terminates the workflow of a verification. The operator can read `reason` in the history of the workflow. */
  endVerification(verificationId: string, reason: string): Promise<void>;
};

export type TemporalClientOptions = {
  namespace: string;
  /** Encrypt what Temporal stores (`temporal/codec.ts`). */
  secrets: Secrets;
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

export function createTemporalClient(
  connection: ConnectionLike,
  options: TemporalClientOptions,
): TemporalClient {
  const client = new Client({
    connection,
    namespace: options.namespace,
    dataConverter: { payloadCodecs: [createCodec(options.secrets)] },
    interceptors: { workflow: options.traced ? [tracedClient] : [] },
  });
  const { queues = taskQueues, secrets } = options;
  // The schedule has no values of ours. If it has others, it is corrected, and decoding them would fail.
  const schedules = new ScheduleClient({ connection, namespace: options.namespace });
  const housekeepingId = options.housekeepingId ?? scheduleIds.housekeeping;
  const starts = startsOf(queues, secrets);
  return {
    ...verificationCalls(client, starts),
    ...runningWorkflows(client, queues),

    resetIfTaskFailed: (run) =>
      before(client, Date.now() + startTimeoutMs, () => resetIfTaskFailed(client, run)),

    startDelivery: (input, timeoutMs = startTimeoutMs) =>
      startDelivery(client, starts, input, timeoutMs, options.eagerDeliveries ?? false),

    wakeDelivery: (input) =>
      before(client, Date.now() + startTimeoutMs, () => wakeDelivery(client, starts, input)),

    restartDelivery: (input) => restartOverdue(client, starts, starts.delivery(input)),

    ensureHousekeeping: () =>
      before(client, Date.now() + scheduleTimeoutMs, () =>
        ensureHourlySchedule(schedules, housekeepingId, {
          type: 'startWorkflow',
          workflowType: workflowNames.housekeeping,
          taskQueue: queues.verifications,
          args: [],
        }),
      ),

    isHousekeepingPaused: () =>
      before(client, Date.now() + askTimeoutMs, () => isPaused(schedules, housekeepingId)),

    makeDossier: (order, deadlineAt) =>
      before(client, deadlineAt, () => client.workflow.execute(workflowNames.dossier, starts.dossier(order))),

    stepsOfVerification: (verificationId) => workflowSteps(client, verificationId),

    endVerification: async (verificationId, reason) =>
      void (await client.workflow.getHandle(verificationWorkflowId(verificationId)).terminate(reason)),

    ping: () =>
      before(
        client,
        Date.now() + askTimeoutMs,
        async () => void (await connection.workflowService.getSystemInfo({})),
      ),
  };
}

type VerificationCalls = Pick<
  TemporalClient,
  | 'openVerification'
  | 'startVerification'
  | 'command'
  | 'resumeVerification'
  | 'restartVerification'
  | 'replaceVerification'
  | 'wakeVerification'
>;

function verificationCalls(client: Client, starts: Starts): VerificationCalls {
  const resume = (verification: VerificationStart) =>
    before(client, Date.now() + startTimeoutMs, () =>
      startUnlessRunning(client, starts, starts.verification(verification)),
    );
  const update = updateWithStart(client, starts, resume);
  const wake = (verificationId: string) =>
    before(client, Date.now() + startTimeoutMs, () =>
      signalWake(client, verificationWorkflowId(verificationId)),
    );

  return {
    startVerification: (verification) =>
      before(client, Date.now() + startTimeoutMs, async () => {
        await client.workflow.start(workflowNames.verification, starts.verification(verification));
      }),

    openVerification: (verification, deadlineAt) =>
      update(verification, createUpdate.name, createUpdate.id, [], deadlineAt),

    command: (verification, name, command, deadlineAt) =>
      update(verification, updates[name].name, command.requestId, [command], deadlineAt),

    // Update-with-start is not used here. If a closed run has already answered the update, the server would return that answer and
    // start no new run.
    resumeVerification: async (verification) => {
      if (isAsleep(await resume(verification))) await wake(verification.verificationId);
    },

    restartVerification: (verification) => restartOverdue(client, starts, starts.verification(verification)),

    wakeVerification: wake,

    replaceVerification: (verification) =>
      before(client, Date.now() + startTimeoutMs, async () => {
        await client.workflow.start(workflowNames.verification, {
          ...starts.verification(verification),
          workflowIdConflictPolicy: 'TERMINATE_EXISTING',
        });
      }),
  };
}

const restartOverdue = (client: Client, starts: Starts, started: Start): Promise<void> =>
  before(
    client,
    Date.now() + startTimeoutMs,
    async () => void (await startUnlessRunning(client, starts, started, { isOverdue: true })),
  );

async function startDelivery(
  client: Client,
  starts: Starts,
  input: DeliveryInput,
  timeoutMs: number,
  requestEagerStart: boolean,
): Promise<void> {
  const start = () =>
    client.workflow.start(workflowNames.delivery, { ...starts.delivery(input), requestEagerStart });
  await client.withDeadline(Date.now() + timeoutMs, start).catch((error: unknown) => {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw new Unavailable('temporal', error);
  });
}

/**
 * While an attempt is made or waits for a worker, a signal would only make the history longer. A run that cannot go on is replaced.
 */
async function wakeDelivery(client: Client, starts: Starts, input: DeliveryInput): Promise<void> {
  const found = await startUnlessRunning(client, starts, starts.delivery(input));
  if (isAsleep(found)) await signalWake(client, deliveryWorkflowId(input.deliveryId));
}

async function signalWake(client: Client, workflowId: string): Promise<void> {
  await client.workflow
    .getHandle(workflowId)
    .signal(wakeSignal)
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
}
