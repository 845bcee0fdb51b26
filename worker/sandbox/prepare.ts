import { createContext, Script } from 'node:vm';
import { ReusableVMWorkflow } from '@temporalio/worker/lib/workflow/reusable-vm.js';
import { GlobalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js';

type Completion = ReturnType<ReusableVMWorkflow['activate']>;

const given: { work?: () => Completion } = {};
const within = createContext(given);
const doWork = new Script('work()');

let isPrepared = false;

/**
 * Makes the SDK's sandbox in this thread cheaper, before its first workflow (docs/choices/fast-path.md):
 *
 * - Each activation has one limit of time. If it takes longer, its task fails, and the thread goes on. The SDK limits each call into the
 *   sandbox, and Node starts a thread of its own for each call with a limit. An activation makes several calls, all of them before it
 *   first waits for anything. So one limit around them holds as much.
 * - The stack of a promise is not recorded when it is made. Temporal's query for the call stack answers that it is not enabled.
 */
export function prepareSandbox(activationMsMax: number): void {
  if (isPrepared) return;
  isPrepared = true;
  Object.assign(GlobalHandlers.prototype, { setPromiseHook: () => undefined });
  const { activate } = ReusableVMWorkflow.prototype;
  ReusableVMWorkflow.prototype.activate = function (activation) {
    given.work = () => activate.call(this, activation);
    return doWork.runInContext(within, { timeout: activationMsMax }) as Completion;
  };
}
