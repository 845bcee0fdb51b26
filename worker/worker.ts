import { setTimeout as pause } from 'node:timers/promises';
import type { Context as ActivityContext } from '@temporalio/activity';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import type { DocumentMasker, DocumentReader } from '#activities/checks/port.ts';
import { failureGuard } from '#activities/failures.ts';
import { createActivities } from '#activities/index.ts';
import { unknownActivity } from '#activities/unknown-activity.ts';
import { type TaskQueues, taskQueues } from '#contract/workflows.ts';
import type { TemporalConfig } from '#platform/config.ts';
import { StartFault } from '#platform/failures.ts';
import type { Log } from '#platform/log.ts';
import type { RootFiles } from '#platform/root-files.ts';
import { tracedActivity } from '#platform/telemetry/temporal.ts';
import { createCodec } from '#platform/temporal-codec.ts';
import { tlsOf } from '#platform/temporal-connection.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { type TurnLimits, turnLimits } from '#services/deliveries/turns.ts';
import type { Store } from '#store/connection.ts';
import type { WorkflowBuild } from './bundle.ts';
import { watchQueue, watchRoots } from './metrics.ts';
import { beginAgain } from './other-builds.ts';
import { startSweep } from './sweep.ts';

export type WorkerParts = {
  connection: NativeConnection;
  namespace: string;
  ctx: DeliveryContext;
  /** Connects as the role that purges. By default this is the store of `ctx`. */
  housekeepingStore?: Store | undefined;
  /** The caller must close the reader and the masker after the worker has stopped. */
  documents: DocumentReader;
  masker: DocumentMasker;
  /** Undefined if LEDGER_KEY and LEDGER_DIR are not set. */
  roots?: RootFiles | undefined;
  log: Log;
  workflows: WorkflowBuild;
  queues?: TaskQueues;
  turns?: TurnLimits;
  /** If false, the sweep does not change the housekeeping schedule. */
  housekeeping?: boolean;
  /** If true, activities create spans in the traces of their workflows. */
  traced?: boolean;
};

export type RunningWorker = {
  /** Rejects if a worker fails. */
  failed: Promise<never>;
  /** Waits at most 20 s for running activities. An attempt of a delivery ends within that time. */
  stop(): Promise<void>;
};

/**
 * The document reader and the masker process one document at a time each, so a worker takes only two checks or maskings at once.
 * Further ones wait in the queue for any worker.
 */
const checksAtOnce = 2;

/**
 * Starts one worker for each queue: verifications, webhooks and checks. So slow receivers and slow checks do not delay the
 * creation of a verification. All workers share one connection, because a delivery can start eagerly only on a worker with the
 * same connection.
 */
export async function startWorker({
  connection,
  namespace,
  ctx,
  housekeepingStore = ctx.store,
  documents,
  masker,
  roots,
  log,
  workflows,
  queues = taskQueues,
  turns = turnLimits,
  housekeeping = true,
  traced = false,
}: WorkerParts): Promise<RunningWorker> {
  const shared = {
    connection,
    namespace,
    dataConverter: {
      payloadCodecs: [createCodec(ctx.secrets, () => ctx.instruments.payloadsRefused.add(1))],
    },
    activities: {
      ...createActivities(ctx, { documents, masker, log, roots, housekeepingStore }, turns),
      default: unknownActivity,
    },
    interceptors: {
      activity: [
        ...(traced ? [({ info }: ActivityContext) => ({ inbound: tracedActivity(info) })] : []),
        ({ info }: ActivityContext) => ({ inbound: failureGuard(log, info.activityType) }),
      ],
    },
    workerDeploymentOptions: {
      version: { deploymentName: 'verification-service', buildId: workflows.buildId },
      useWorkerVersioning: false,
    },
    shutdownGraceTime: '16s',
    shutdownForceTime: '20s',
  } satisfies Partial<WorkerOptions>;
  const ofWorkflows = {
    workflowBundle: workflows.bundle,
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
    Worker.create({
      ...shared,
      taskQueue: queues.checks,
      maxConcurrentActivityTaskExecutions: checksAtOnce,
    }),
  ]);
  const runs = workers.map((worker) => worker.run());
  const sweep = startSweep(ctx, log, { housekeeping, roots });
  watchQueue(ctx, sweep);
  if (roots !== undefined) watchRoots(ctx, sweep, roots);
  const failed = new Promise<never>((_, reject) => {
    for (const run of runs) run.catch(reject);
  });
  failed.catch(() => undefined);

  return {
    failed,
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled([...runs, sweep.stop()]);
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
