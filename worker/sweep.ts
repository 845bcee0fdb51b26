import type { Banks } from '#activities/eid/port.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import type { Log } from '#platform/log.ts';
import { repeatUnless } from '#platform/pause.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import { createOrderSweep } from '#services/deliveries/carry-out-orders.ts';
import { createDeactivationSweep, createOverdueSweep } from '#services/deliveries/restart.ts';
import { refreshIssuers } from '#services/eid/contracts.ts';
import {
  createMaskingSweep,
  createStartSweep,
  createSubmissionSweep,
  createVisitSweep,
} from '#services/flow/restart.ts';
import type { Sweep } from '#services/portions/in-passes.ts';
import { createErasureNotes } from '#services/privacy/erasures.ts';
import { warningsOfRemovals } from '#services/relations/removals.ts';
import { createReviewSweep } from '#services/reviews/restart.ts';
import { sweepRunsEveryMs } from '#services/runs/restart-runs.ts';
import { failingEndpoints } from '#services/webhooks/failing.ts';
import { type Leader, type LeaderTimes, startLeader } from './leader.ts';

const deactivationsEveryMs = 2_000;
const ordersEveryMs = 1_000;
const pausedWarningEveryMs = hourMs;

type Options = {
  /** If false, the sweep does not change the schedule of housekeeping. */
  housekeeping: boolean;
  /** Where erasures are noted. Undefined if this deployment keeps no signed roots. */
  roots?: RootFiles | undefined;
  /** Asks acquirers for their banks. Undefined if nobody is asked. */
  banks?: Banks | undefined;
  times?: LeaderTimes;
};

/** A step that is repeated. `fault` is what the log says if the step fails. */
type Task = { everyMs: number; step: (signal: AbortSignal) => Promise<void>; fault: string };

/**
 * Starts the sweep. One worker at a time sweeps for all workers. Its tasks do not wait for each other: it starts the workflows of
 * new verifications, lost deliveries, submissions, visits to banks, masked copies and reviewers' decisions again (decision 36), ends the deliveries of deactivated endpoints
 * (decision 50), carries out orders of members about deliveries, and warns of
 * endpoints that have failed for a day and of removals ahead. It asks acquirers for their banks once a day. It notes erasures beside the signed roots. If `housekeeping` is true, it also creates or corrects the housekeeping schedule.
 */
export const startSweep = (
  ctx: DeliveryContext,
  log: Log,
  { housekeeping, roots, banks, times }: Options,
): Leader => {
  const sweepAll = async (signal: AbortSignal) => {
    const tasks = [
      lostDeliveries(ctx, log),
      ...lostRuns.map((lost) => restarting(ctx, log, lost)),
      deactivations(ctx),
      orders(ctx),
      failingWarnings(ctx, log),
      removalWarnings(ctx, log),
      ...(banks ? [bankLists(ctx, banks, log)] : []),
      ...(roots ? [erasures(ctx, roots)] : []),
      ...(housekeeping ? [schedule(ctx, log)] : []),
    ];
    await Promise.all(tasks.map((task) => repeat(task, log, signal)));
  };
  return startLeader(ctx, log, sweepAll, times);
};

const repeat = ({ everyMs, step, fault }: Task, log: Log, signal: AbortSignal): Promise<void> =>
  repeatUnless(signal, everyMs, () => step(signal).catch((error) => log.warn({ err: error }, fault)));

const lostDeliveries = (ctx: DeliveryContext, log: Log): Task => ({
  everyMs: minuteMs,
  step: reporting(createOverdueSweep(ctx), log, 'sweep: deliveries were overdue; their workflows run'),
  fault: 'sweep failed; the next one is in a minute',
});

/** What may be lost with a run of a verification, its sweep, and what the log says if the sweep finds some. */
const lostRuns = [
  ['starts', createStartSweep, 'workflows of verifications had not started; they run'],
  ['flows', createSubmissionSweep, 'flows await their verdict; their workflows run'],
  ['masked copies', createMaskingSweep, 'documents await their masked copy; their workflows run'],
  ['visits to banks', createVisitSweep, 'visits to banks were forgotten; their workflows run'],
  ['reviews', createReviewSweep, 'decisions of reviewers wait; their workflows run'],
] as const;

const restarting = (
  ctx: DeliveryContext,
  log: Log,
  [what, createSweep, message]: (typeof lostRuns)[number],
): Task => ({
  everyMs: sweepRunsEveryMs,
  step: reporting(createSweep(ctx), log, `sweep: ${message}`),
  fault: `sweep of ${what} failed; the next one is in half a minute`,
});

const erasures = (ctx: DeliveryContext, roots: RootFiles): Task => ({
  everyMs: minuteMs,
  step: createErasureNotes(ctx, roots),
  fault: 'erasures could not be noted beside the signed roots; the next try is in a minute',
});

/** An acquirer that does not answer is asked again in an hour. Until then persons choose from the banks that it named last. */
const bankLists = (ctx: DeliveryContext, banks: Banks, log: Log): Task => ({
  everyMs: hourMs,
  async step(signal) {
    const health = async (contract: string) => banks.under(contract).health();
    for (const { orgId, reason, err } of await refreshIssuers(ctx, health, signal))
      log.warn({ organisation: orgId, reason, err }, 'the acquirer of an organisation named no banks');
  },
  fault: 'acquirers could not be asked for their banks; the next try is in an hour',
});

const deactivations = (ctx: DeliveryContext): Task => {
  const sweep = createDeactivationSweep(ctx);
  return {
    everyMs: deactivationsEveryMs,
    step: async (signal) => void (await sweep(signal)),
    fault: 'deliveries of deactivated endpoints could not be ended; the next try is in seconds',
  };
};

const orders = (ctx: DeliveryContext): Task => {
  const sweep = createOrderSweep(ctx);
  return {
    everyMs: ordersEveryMs,
    step: async (signal) => void (await sweep(signal)),
    fault: 'orders of members about deliveries could not be carried out; the next try is in seconds',
  };
};

/** Finding overdue rows is a warning, since it means that workflows were lost or that workers do not keep up. */
const reporting =
  (sweep: Sweep, log: Log, message: string): Task['step'] =>
  async (signal) => {
    const { found: overdue, failed } = await sweep(signal);
    if (overdue > 0) log.warn({ overdue, failed }, message);
  };

/** A schedule that an operator paused stays paused, but nobody should forget it. */
const schedule = ({ temporal }: DeliveryContext, log: Log): Task => {
  let warnAtMs = 0;
  return {
    everyMs: minuteMs,
    async step() {
      const isPaused = await temporal.ensureHousekeeping();
      if (!isPaused || performance.now() < warnAtMs) return;
      log.warn('the schedule of housekeeping is paused: what is too old is not deleted');
      warnAtMs = performance.now() + pausedWarningEveryMs;
    },
    fault: 'the schedule of housekeeping could not be looked at; the next look is in a minute',
  };
};

const failingWarnings = (ctx: DeliveryContext, log: Log): Task => ({
  everyMs: minuteMs,
  step: failureWarnings(ctx, log),
  fault: 'failing endpoints could not be looked for; the next look is in a minute',
});

const removalWarnings = (ctx: DeliveryContext, log: Log): Task => ({
  everyMs: hourMs,
  step: () => warnOfRemovals(ctx, log),
  fault: 'removals ahead could not be looked for; the next look is in an hour',
});

/** Warns an organisation once of each verification that is removed unless its relationship is reported as going on. */
export async function warnOfRemovals(
  ctx: Pick<DeliveryContext, 'store' | 'clock'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  for (const { orgId, verifications, removedAfter } of await warningsOfRemovals(ctx))
    log.warn(
      { organisation: orgId, verifications, removedAfter },
      'verifications will be removed: nobody reported the end of their relationship (npm run relations)',
    );
}

/**
 * Warns if an endpoint has failed for a day, and again after each further day. The URL is not logged, because it can contain a
 * secret of the partner.
 */
export function failureWarnings(
  ctx: Pick<DeliveryContext, 'store' | 'clock'>,
  log: Log,
): () => Promise<void> {
  let said = new Map<string, number>();
  return async () => {
    const failing = await failingEndpoints(ctx);
    for (const { id, orgId, failingSince, days, consecutiveFailures, lastSuccessAt } of failing)
      if (said.get(id) !== days)
        log.warn(
          { endpoint: id, organisation: orgId, failingSince, consecutiveFailures, lastSuccessAt },
          'webhook endpoint: every attempt has failed for a day or longer; it stays active',
        );
    said = new Map(failing.map(({ id, days }) => [id, days]));
  };
}
