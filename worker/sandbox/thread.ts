import { workerData } from 'node:worker_threads';
import { prepareSandbox } from './prepare.ts';

/** What a thread gets when it begins. */
export type ThreadData = { msMax: number };

/** A thread of a worker in which workflows run. It is the SDK's own, with a cheaper sandbox. */
prepareSandbox((workerData as ThreadData).msMax);
await import('@temporalio/worker/lib/workflow/workflow-worker-thread.js');
