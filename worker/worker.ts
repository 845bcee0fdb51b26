import { setTimeout as pause } from 'node:timers/promises';
import type { Context as ActivityContext } from '@temporalio/activity';
import { NativeConnection, type WorkerOptions } from '@temporalio/worker';
import { failureGuard } from '#activities/failures.ts';
import { createActivities, type Engines } from '#activities/index.ts';
import { unknownActivity } from '#activities/unknown-activity.ts';
import { type TaskQueues, taskQueues } from '#contract/workflows.ts';
import type { TemporalConfig } from '#platform/config/config.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import { StartFault } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';
import { tracedActivity } from '#platform/telemetry/temporal.ts';
import { createCodec } from '#platform/temporal/codec.ts';
import { tlsOf } from '#platform/temporal/connection.ts';
import { createAttempts } from '#services/attempts/attempt-in-turn.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import type { TurnLimits } from '#services/attempts/turns.ts';
import type { Store } from '#store/database/connection.ts';
import type { WorkflowBuild } from './bundle.ts';
import { watchContracts, watchQueue, watchRoots } from './metrics.ts';
import { beginAgain } from './other-builds.ts';
import { SandboxedWorker as Worker } from './sandbox/worker.ts';
import { startSweep } from './sweep.ts';

export type WorkerParts = {
  connection: NativeConnection;
  namespace: string;
  ctx: DeliveryContext;
  /** Connects as the role that purges. */
  housekeepingStore: Store;
  /** The caller must close them after the worker has stopped. */
  engines: Engines;
  /** Undefined if LEDGER_KEY and LEDGER_DIR are not set. */
  roots?: RootFiles | undefined;
  log: Log;
  workflows: WorkflowBuild;
  queues?: TaskQueues;
  turns: TurnLimits;
  /** If false, the sweep does not change the housekeeping schedule. */
  housekeeping?: boolean;
  /** If true, activities create spans in the traces of their workflows. */
  traced?: boolean;
  /** If true, workflows run in the thread of the caller. Tests start many workers, and a thread takes half a second to begin. */
  withoutThreads?: boolean;
};

export type RunningWorker = {
  /** Rejects if a worker fails. */
  failed: Promise<never>;
  /** Waits at most 20 s for running activities. An attempt of a delivery ends within that time. */
  stop(): Promise<void>;
};

/**
 * The document reader processes two documents at a time, or one where there is one processor. Further ones wait in the queue for any
 * worker. A run of an earlier version has its document masked here too.
 */
const checksAtOnce = 2;

/** The masker processes one document at a time. */
const masksAtOnce = 1;

/** A visit waits for somebody else's server, for fifteen seconds at most, and takes little of ours. */
const bankVisitsAtOnce = 20;

/** A look takes a core for most of a second. */
const looksAtOnce = 2;

const activitiesOnly = (queues: TaskQueues) => [
  { taskQueue: queues.checks, maxConcurrentActivityTaskExecutions: checksAtOnce },
  { taskQueue: queues.looks, maxConcurrentActivityTaskExecutions: looksAtOnce },
  { taskQueue: queues.masks, maxConcurrentActivityTaskExecutions: masksAtOnce },
  { taskQueue: queues.banks, maxConcurrentActivityTaskExecutions: bankVisitsAtOnce },
];

const aroundActivities = (log: Log, traced: boolean) => [
  ...(traced ? [({ info }: ActivityContext) => ({ inbound: tracedActivity(info) })] : []),
  ({ info }: ActivityContext) => ({ inbound: failureGuard(log, info.activityType) }),
];

/**
 * Starts one worker for each queue: verifications, webhooks, checks, looks, masks and banks. So slow receivers, banks and checks delay neither the
 * creation of a verification nor the answer about a picture, and no verdict waits for a masked copy. All workers share one connection, because a delivery can start eagerly only on a worker with the
 * same connection.
 */
export async function startWorker({
  connection,
  namespace,
  ctx,
  housekeepingStore,
  engines,
  roots,
  log,
  workflows,
  queues = taskQueues,
  turns,
  housekeeping = true,
  traced = false,
  withoutThreads = false,
}: WorkerParts): Promise<RunningWorker> {
  const attempts = createAttempts(ctx, turns);
  const shared = {
    connection,
    namespace,
    dataConverter: {
      payloadCodecs: [createCodec(ctx.secrets, () => ctx.instruments.payloadsRefused.add(1))],
    },
    activities: {
      ...createActivities(ctx, { engines, log, roots, housekeepingStore, attempts }),
      default: unknownActivity,
    },
    interceptors: { activity: aroundActivities(log, traced) },
    workerDeploymentOptions: {
      version: { deploymentName: 'verification-service', buildId: workflows.buildId },
      useWorkerVersioning: false,
    },
    shutdownGraceTime: '16s',
    shutdownForceTime: '20s',
  } satisfies Partial<WorkerOptions>;
  const ofWorkflows = {
    workflowBundle: workflows.bundle,
    debugMode: withoutThreads,
    maxCachedWorkflows: 1_000,
    // A run that another build began does not fit this build's code. It fails, and begins again (docs/choices/upgrades.md).
    workflowFailureErrorTypes: { '*': ['NondeterminismError'] },
    sinks: beginAgain(ctx, log),
  } satisfies Partial<WorkerOptions>;
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      ...ofWorkflows,
      taskQueue: queues.verifications,
      // A command to a flow in the cache of a worker that died must reach another worker before the caller's deadline.
      stickyQueueScheduleToStartTimeout: '2s',
      maxConcurrentWorkflowTaskExecutions: 100,
      maxConcurrentLocalActivityExecutions: 20,
      maxConcurrentActivityTaskExecutions: 20,
    }),
    Worker.create({
      ...shared,
      ...ofWorkflows,
      taskQueue: queues.webhooks,
      maxConcurrentWorkflowTaskExecutions: 100,
      maxConcurrentLocalActivityExecutions: turns.attempts,
      maxConcurrentActivityTaskExecutions: turns.attempts,
    }),
    ...activitiesOnly(queues).map((only) => Worker.create({ ...shared, ...only })),
  ]);
  const runs = workers.map((worker) => worker.run());
  attempts.first.run();
  const sweep = startSweep(ctx, log, { housekeeping, roots, banks: engines.banks });
  watchQueue(ctx, sweep);
  watchContracts(ctx, sweep);
  if (roots !== undefined) watchRoots(ctx, sweep, roots);
  const failed = new Promise<never>((_, reject) => {
    for (const run of runs) run.catch(reject);
  });
  failed.catch(() => undefined);

  return {
    failed,
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled([...runs, sweep.stop(), attempts.first.stop()]);
      // A recording that was under way may have started workflows since.
      await attempts.first.stop();
    },
  };
}

/** Without this limit the SDK waits 30 s for a server that accepts connections but does not answer. */
const connectTimeoutMs = 10_000;

/** Compression is off, because it costs more than it saves in one data centre (docs/choices/fast-path.md). */
export async function connectWorker(temporal: TemporalConfig, address: string): Promise<NativeConnection> {
  const tls = await tlsOf(temporal);
  try {
    const connecting = NativeConnection.connect({
      address,
      ...(tls && { tls }),
      ...(temporal.apiKey && { apiKey: temporal.apiKey }),
      grpcCompression: { codec: 'none' },
    });
    const silence = pause(connectTimeoutMs, undefined, { ref: false }).then(() => Promise.reject());
    return await Promise.race([connecting, silence]);
  } catch {
    throw new StartFault(
      `No Temporal server answers at ${address}. Is it running, and is TEMPORAL_ADDRESS right?`,
    );
  }
}
