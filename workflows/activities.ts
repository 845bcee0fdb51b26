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
  type BanksVisited,
  banksQueueBeside,
  checksQueueBeside,
  type DeferredReport,
  type LookedAtReport,
  looksQueueBeside,
  masksQueueBeside,
  type VerificationRef,
} from '#contract/workflows.ts';

/** The number of attempts is limited, because the retries of a local activity can continue after its scheduleToCloseTimeout. */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '3s',
  retry: { maximumAttempts: 3, initialInterval: '100ms' },
});

/**
 * Regular activities are retried without limit. Their failures end when the database or another server works again, or when an
 * error in our code is corrected.
 */
const regular = proxyActivities<Activities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', maximumInterval: '5s' },
});

export const { purgeExpired } = regular;

/** A large ledger takes minutes. */
const { signLedger: signEnds } = proxyActivities<Activities>({
  startToCloseTimeout: '50m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '10s', maximumInterval: '5m' },
});

export { signEnds };

/** A dossier needs the signed ends of all chains, which take a while to read. */
export const { makeDossier } = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '500ms', maximumInterval: '1m' },
});

const attempting = {
  startToCloseTimeout: '30s',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
} as const;
const { attemptDelivery: attemptInline } = proxyLocalActivities<Activities>({
  startToCloseTimeout: attempting.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
  summary: 'began with the event, and ended inside the workflow task',
});
const { attemptDelivery: attemptFirst } = proxyActivities<Activities>(attempting);
/**
 * Priority 4 is lower than the default, which is 3. If tasks wait for a worker, first attempts are therefore made before repeated
 * attempts.
 */
const { attemptDelivery: attemptAgain } = proxyActivities<Activities>({
  ...attempting,
  priority: { priorityKey: 4 },
});

/**
 * Makes one HTTP attempt with its two transactions. A failure of the receiver is a result and not an error, and a retry never sends
 * an attempt twice. The first attempt usually begins where its event was recorded, and ends inside the first workflow task, which saves a
 * round trip to the Temporal server. If it does not, a regular activity waits for it, or makes it if nobody has begun it.
 */
export async function attemptDelivery(order: AttemptDelivery): Promise<AttemptedReport | DeferredReport> {
  if (order.onTheSpot) {
    const report = await attemptInline(order).catch(unlessCancelled);
    if (report !== undefined && !('elsewhere' in report)) return report;
  }
  return attemptAsActivity(order);
}

async function attemptAsActivity({
  onTheSpot,
  ...order
}: AttemptDelivery): Promise<AttemptedReport | DeferredReport> {
  const report = await (order.number === 1
    ? attemptFirst({ ...order, ...(onTheSpot && { begun: true }) })
    : attemptAgain(order));
  if ('elsewhere' in report) throw new Error('an activity of its own has no elsewhere');
  return report;
}

function unlessCancelled(error: unknown): undefined {
  if (isCancellation(error)) throw error;
}

/**
 * Runs an activity inside the workflow task, which saves a round trip to the Temporal server. If the activity fails there, a
 * regular activity repeats the work until it succeeds.
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

/**
 * Has the pictures that were handed in looked at. A person waits, so a lost worker is not waited for long. Rejects then: the person goes
 * on without advice.
 */
export async function lookAtPictures(ref: VerificationRef): Promise<LookedAtReport> {
  const activities = proxyActivities<Activities>({
    taskQueue: looksQueueBeside(workflowInfo().taskQueue),
    startToCloseTimeout: '1m',
    heartbeatTimeout: '15s',
    scheduleToCloseTimeout: '3m',
    retry: { initialInterval: '500ms', maximumAttempts: 3 },
    priority: { fairnessKey: ref.orgId },
  });
  return activities.lookAtPictures(ref);
}

/** Asks the banks of a person whatever is due. A person waits, and a visit must not be forgotten, so it is retried without limit. */
export async function visitBanks(ref: VerificationRef): Promise<BanksVisited> {
  const activities = proxyActivities<Activities>({
    taskQueue: banksQueueBeside(workflowInfo().taskQueue),
    startToCloseTimeout: '2m',
    heartbeatTimeout: '15s',
    retry: { initialInterval: '500ms', maximumInterval: '30s' },
    priority: { fairnessKey: ref.orgId },
  });
  return activities.visitBanks(ref);
}

/** A worker of the version before does not fail, but answers `false`. This goes with the next version. */
async function untilTrue(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep('1m', { summary: 'a worker of an older version could not do it' });
}

const examining = {
  // Five documents of an income take that long at most, if each takes as long as it may.
  startToCloseTimeout: '10m',
  // A worker that is lost in the middle delays the verdict by this time.
  heartbeatTimeout: '20s',
} as const;

/** Has a document examined before Send. It is tried once: Send has it examined all the same. Documents that were sent come first. */
export async function examineAhead(ref: VerificationRef): Promise<void> {
  const { runChecksAhead } = proxyActivities<Activities>({
    ...examining,
    taskQueue: checksQueueBeside(workflowInfo().taskQueue),
    retry: { maximumAttempts: 1 },
    priority: { fairnessKey: ref.orgId, priorityKey: 4 },
  });
  return runChecksAhead(ref);
}

/**
 * Has the evidence of a live submission examined, also if an examination fails: the activity is retried, after a wait that it says. The rows
 * count the examinations, so what a lost database or worker costs does not count.
 */
export async function examine(ref: VerificationRef): Promise<void> {
  const { runChecks } = proxyActivities<Activities>({
    ...examining,
    taskQueue: checksQueueBeside(workflowInfo().taskQueue),
    retry: { initialInterval: '2s', maximumInterval: '1m' },
    // An organisation with many waiting submissions does not delay other organisations.
    priority: { fairnessKey: ref.orgId },
  });
  await untilTrue(async () => (await runChecks(ref)).examined);
}

/**
 * Has the document of a verdict masked. If that fails, the activity is retried, after a wait that it says. The row counts the tries and
 * decides when it was the last one, so a lost worker cannot add any.
 */
export async function mask(ref: VerificationRef): Promise<void> {
  const { maskDocument } = proxyActivities<Activities>({
    taskQueue: masksQueueBeside(workflowInfo().taskQueue),
    startToCloseTimeout: '5m',
    heartbeatTimeout: '20s',
    retry: { initialInterval: '2s', maximumInterval: '1m' },
    priority: { fairnessKey: ref.orgId },
  });
  await untilTrue(async () => (await maskDocument(ref)).masked);
}

export const recordVerification = durably('recordVerification');
export const recordStart = durably('recordStart');
export const recordSubmission = durably('recordSubmission');
export const recordDecline = durably('recordDecline');
export const recordVerdict = durably('recordVerdict');
export const recordReview = durably('recordReview');
