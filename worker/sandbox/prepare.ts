import { createContext, Script } from 'node:vm';
import {
  ReusableVMWorkflow,
  ReusableVMWorkflowCreator,
} from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { GlobalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';

const given: { work?: () => unknown } = {};
const within = createContext(given);
const doWork = new Script('work()');

let isPrepared = false;

/**
 * Makes the SDK's sandbox in this thread cheaper, before its first workflow (docs/choices/fast-path.md):
 *
 * - A run's beginning, each of its activations and its end have one limit of time each. What takes longer fails its task, and the thread
 *   goes on. The SDK limits each call into the sandbox, and Node starts a thread of its own for each call with a limit. An activation
 *   makes several calls, all of them before it first waits for anything. So one limit around them holds as much.
 * - The stack of a promise is not recorded when it is made. Temporal's query for the call stack answers that it is not enabled.
 */
export function prepareSandbox(msMax: number): void {
  if (isPrepared) return;
  isPrepared = true;
  Object.assign(GlobalHandlers.prototype, { setPromiseHook: () => undefined });

  const limited = <This, Args extends unknown[], Result>(method: (this: This, ...args: Args) => Result) =>
    function (this: This, ...args: Args): Result {
      given.work = () => method.apply(this, args);
      return doWork.runInContext(within, { timeout: msMax }) as Result;
    };
  const [creator, workflow] = [ReusableVMWorkflowCreator.prototype, ReusableVMWorkflow.prototype];
  creator.createWorkflow = limited(creator.createWorkflow);
  workflow.activate = limited(workflow.activate);
  workflow.dispose = limited(workflow.dispose);
}
