import { Worker as Thread } from 'node:worker_threads';
import type { Logger } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options.js';
import { ReusableVMWorkflowCreator } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import {
  ThreadedVMWorkflowCreator,
  WorkerThreadClient,
} from '@temporalio/worker/lib/workflow/threaded-vm.js';
import type { Init } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js';
import { prepareSandbox } from './prepare.ts';
import type { ThreadData } from './thread.ts';

/** The SDK passes this on to Node, which then limits no call. The SDK's type knows no way to say so. */
const unlimited = undefined as unknown as number;

const threadFile = new URL('./thread.ts', import.meta.url);

/**
 * A worker whose workflows run in the SDK's own sandbox, at half its cost. It builds on parts of the SDK that are not its public
 * interface, and therefore on its exact version.
 */
export class SandboxedWorker extends Worker {
  protected static override async createWorkflowCreator(
    workflowBundle: Init['workflowBundle'],
    { activities, debugMode, isolateExecutionTimeoutMs, workflowThreadPoolSize }: CompiledWorkerOptions,
    logger: Logger,
  ) {
    const registeredActivityNames = new Set(activities.keys());
    if (debugMode) {
      prepareSandbox(isolateExecutionTimeoutMs);
      return ReusableVMWorkflowCreator.create(workflowBundle, unlimited, registeredActivityNames);
    }
    const init: Init = {
      type: 'init',
      workflowBundle,
      registeredActivityNames,
      isolateExecutionTimeoutMs: unlimited,
      reuseV8Context: true,
      hasPatchActivationCallback: false,
    };
    const workerData: ThreadData = { msMax: isolateExecutionTimeoutMs };
    const threads = Array.from(
      { length: workflowThreadPoolSize },
      () => new WorkerThreadClient(new Thread(threadFile, { workerData }), logger),
    );
    await Promise.all(threads.map((thread) => thread.send(init)));
    return new ThreadedVMWorkflowCreator(threads);
  }
}
