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
  type AttemptReport,
  type Check,
  checksQueueBeside,
  type RunChecks,
} from '#contract/workflows.ts';
import { checksInDoubt } from '#policy/decide.ts';

/** A few tries in a row. A limit of attempts, since a local activity outlives its scheduleToCloseTimeout while it is retried. */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '3s',
  retry: { maximumAttempts: 3, initialInterval: '100ms' },
});

/** Retried without limit: only a lost database or our own fault fails these, and both pass. */
const regular = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '5s' },
});

export const { purgeExpired } = regular;

const attempting = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
} as const;
const { attemptDelivery: attemptOnTheSpot } = proxyLocalActivities<Activities>({
  startToCloseTimeout: attempting.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
  summary: 'on the spot, if the receiver is known to be swift',
});
const { attemptDelivery: attemptFirst } = proxyActivities<Activities>(attempting);
/** One step behind the default, which is 3: where tasks wait for a worker, new events go before those that failed. */
const { attemptDelivery: attemptAgain } = proxyActivities<Activities>({
  ...attempting,
  priority: { priorityKey: 4 },
});

/**
 * One HTTP attempt and its two transactions. What the receiver does is a result; a retry never sends an attempt twice. On the
 * spot it saves the way over the server and back; what cannot be done there goes on as an activity under the server's care.
 */
export async function attemptDelivery(order: AttemptDelivery): Promise<AttemptReport> {
  if (order.onTheSpot) {
    const report = await attemptOnTheSpot(order).catch(unlessCancelled);
    if (report !== undefined && !report.elsewhere) return report;
  }
  const { onTheSpot: _, ...later } = order;
  return order.number === 1 ? attemptFirst(later) : attemptAgain(later);
}

function unlessCancelled(error: unknown): undefined {
  if (isCancellation(error)) throw error;
}

/**
 * Runs an activity inside the workflow task, which saves a hand-over; what does not succeed at once goes on as a regular
 * activity under the server's care, for as long as it takes.
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

/** Milliseconds before the document reader tries again to examine a document. */
const examineAgainMs = [2_000, 10_000, 60_000, 300_000];

/**
 * What the machine cannot examine in five tries is in doubt, and a person has to look. A lost database or worker counts as no
 * try: the verdict could not be written either, so it is waited for.
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
  return (await run(order)) ?? checksInDoubt;
}

export const recordVerification = durably('recordVerification');
export const recordStart = durably('recordStart');
export const recordSubmission = durably('recordSubmission');
export const recordVerdict = durably('recordVerdict');
export const startDeliveries = durably('startDeliveries');
