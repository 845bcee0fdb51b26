import {
  type ActivityInterfaceFor,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '#activities/index.ts';
import {
  type AttemptDelivery,
  type AttemptedReport,
  type Check,
  checksQueueBeside,
  type DeferredReport,
  type RunChecks,
} from '#contract/workflows.ts';

/** Attempts are limited, because a retried local activity outlives its scheduleToCloseTimeout. */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '3s',
  retry: { maximumAttempts: 3, initialInterval: '100ms' },
});

/** Retried without limit: only a lost database or a fault of ours fails these, and both pass. */
const regular = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '5s' },
});

export const { purgeExpired } = regular;

const attempting = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
} as const;
const { attemptDelivery: attemptInline } = proxyLocalActivities<Activities>({
  startToCloseTimeout: attempting.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
  summary: 'inside the workflow task, if the receiver is known to be fast',
});
const { attemptDelivery: attemptFirst } = proxyActivities<Activities>(attempting);
/** The default priority is 3. When tasks wait for a worker, new events go before those that failed. */
const { attemptDelivery: attemptAgain } = proxyActivities<Activities>({
  ...attempting,
  priority: { priorityKey: 4 },
});

/**
 * One HTTP attempt and its two transactions. The receiver's behaviour is a result, not a failure, and a retry never sends an
 * attempt twice. An attempt inside the workflow task saves a round trip to the Temporal server. If it cannot be made
 * there, it is made as a regular activity.
 */
export async function attemptDelivery(order: AttemptDelivery): Promise<AttemptedReport | DeferredReport> {
  if (order.onTheSpot) {
    const report = await attemptInline(order).catch(unlessCancelled);
    if (report !== undefined && !('elsewhere' in report)) return report;
  }
  return attemptAsActivity(order);
}

async function attemptAsActivity({
  onTheSpot: _,
  ...order
}: AttemptDelivery): Promise<AttemptedReport | DeferredReport> {
  const report = await (order.number === 1 ? attemptFirst(order) : attemptAgain(order));
  if ('elsewhere' in report) throw new Error('an activity of its own has no elsewhere');
  return report;
}

function unlessCancelled(error: unknown): undefined {
  if (isCancellation(error)) throw error;
}

/**
 * Runs an activity inside the workflow task, which saves a round trip to the Temporal server. If it does not succeed at once, it
 * is repeated as a regular activity until it succeeds.
 */
function durably<Name extends keyof Activities>(name: Name): ActivityInterfaceFor<Activities>[Name] {
  const act = async (...args: unknown[]) => {
    try {
      return await (local[name] as (...args: unknown[]) => Promise<unknown>)(...args);
    } catch (error) {
      unlessCancelled(error);
      return await (regular[name] as (...args: unknown[]) => Promise<unknown>)(...args);
    }
  };
  return act as ActivityInterfaceFor<Activities>[Name];
}

/** Milliseconds to wait before the next examination, after one that broke down. */
const examineAgainMs = [2_000, 10_000, 60_000, 300_000];

/**
 * The checks of a live submission. After five examinations that broke down there are none, so everything is in doubt and a
 * person has to look. A lost database or worker does not count as an examination.
 */
export async function runChecks(order: RunChecks): Promise<Check[]> {
  const { runChecks: run } = proxyActivities<Activities>({
    taskQueue: checksQueueBeside(workflowInfo().taskQueue),
    startToCloseTimeout: '3m',
    retry: { initialInterval: '2s', maximumInterval: '1m' },
  });
  for (const waitMs of examineAgainMs) {
    const found = await run(order);
    if (found !== null) return found;
    await sleep(waitMs, { summary: 'the document could not be examined' });
  }
  return (await run(order)) ?? [];
}

export const recordVerification = durably('recordVerification');
export const recordStart = durably('recordStart');
export const recordSubmission = durably('recordSubmission');
export const recordVerdict = durably('recordVerdict');
export const startDeliveries = durably('startDeliveries');
