import type { DeliveryInput } from '#contract/workflows.ts';
import { Unavailable } from '#platform/failures.ts';
import { pauseUnless } from '#platform/pause.ts';
import {
  findOpenDeliveriesOfAnyOrganisation,
  findOverdueDeliveriesOfAnyOrganisation,
  isTakenUpOfAnyOrganisation,
  type RestartableDelivery,
} from '#store/webhooks/deliveries.ts';
import {
  findDeactivationsOfAnyOrganisation,
  forgetDeactivationOfAnyOrganisation,
} from '#store/webhooks/webhook-endpoints.ts';
import { cancelQueued } from '../attempts/cancel-queued.ts';
import type { DeliveryContext } from '../attempts/context.ts';
import { createPace, type Pace, slowest } from '../attempts/pace.ts';
import { noWaits, type StartContext } from '../attempts/start.ts';
import { forEachAtOnce } from '../portions/at-once.ts';
import { firstId, firstPlace, inBatches } from '../portions/in-batches.ts';
import { inPasses, type Sweep, type Swept } from '../portions/in-passes.ts';

export type RestartContext = StartContext & Pick<DeliveryContext, 'store' | 'clock'>;

const overdueMs = 120_000;

/** An open delivery that was due before this time is overdue. Its workflow was lost or never started, or no worker ran. */
export const overdueBefore = ({ clock }: Pick<DeliveryContext, 'clock'>): Date =>
  new Date(clock.now().getTime() - overdueMs);

const batchSize = 500;
/** The number of rows of one pass. */
const passRowsMax = 10_000;

const overdueList = ({ store }: RestartContext, dueBefore: () => Date) => ({
  first: firstPlace,
  batchSize,
  find: (after: typeof firstPlace, limit: number) =>
    findOverdueDeliveriesOfAnyOrganisation(store.db, { after, dueBefore: dueBefore(), limit }),
  placeOf: ({ nextAttemptAt: at, id }: { nextAttemptAt: Date; id: string }) => ({ at, id }),
});

/** This number of deliveries is started again within two minutes, whatever else is to be done. */
const promisedRows = 1_000;
/** The promised rows take 84 s at this pace. */
const promisedPerSecond = 12;

/**
 * Sweeps the overdue deliveries: starts their workflows again (decision 36), at the pace that the system can carry. If there are no
 * more than `promised`, the pace has a lower bound. A workflow that still sleeps, for example since the database or Temporal was
 * restored to an older state, is replaced.
 */
export function createOverdueSweep(
  ctx: RestartContext,
  { rowsMax = passRowsMax, promised = promisedRows } = {},
): Sweep {
  const list = overdueList(ctx, () => overdueBefore(ctx));
  const pass = inPasses({ ...list, rowsMax });
  const pace = createPace();
  return async (signal) => {
    const swept = { found: 0, failed: 0 };
    const isPromised = (await list.find(list.first, promised + 1)).length <= promised;
    pace.keepAbove(isPromised ? promisedPerSecond : slowest);
    for await (const batch of pass()) {
      if (signal.aborted) break;
      swept.found += batch.length;
      swept.failed += await beginAtPace(ctx, batch, { pace, signal, begin: restart });
    }
    return swept;
  };
}

const endpointsAtOnce = 100;
const endpointsMax = 1_000;

/**
 * Sweeps the open deliveries of endpoints that were deactivated: wakes their workflows, which then cancel them (decision 50). The
 * row in `deactivations` stays until no delivery of the endpoint is open. So whatever stops a sweep, the next one goes on.
 */
export function createDeactivationSweep(ctx: RestartContext & Pick<DeliveryContext, 'instruments'>): Sweep {
  const { db } = ctx.store;
  const pace = createPace();
  const pass = inPasses({
    first: firstId,
    rowsMax: endpointsMax,
    batchSize: endpointsAtOnce,
    find: (after, limit) => findDeactivationsOfAnyOrganisation(db, after, limit),
    placeOf: ({ endpointId }) => endpointId,
  });
  const cancelOpenDeliveries = async (endpointId: string, signal: AbortSignal): Promise<Swept> => {
    const swept = { found: 0, failed: 0 };
    for (let left = true; left && !signal.aborted; )
      left = (await cancelQueued(ctx, { endpointId, limit: batchSize })) > 0;
    for await (const batch of openDeliveriesOf(ctx, endpointId)) {
      if (signal.aborted) return swept;
      swept.found += batch.length;
      swept.failed += await beginAtPace(ctx, batch, { pace, signal, begin: wake });
    }
    if (swept.found === 0) await forgetDeactivationOfAnyOrganisation(db, endpointId);
    return swept;
  };
  return async (signal) => {
    const swept = { found: 0, failed: 0 };
    for await (const batch of pass())
      for (const { endpointId } of batch) {
        if (signal.aborted) return swept;
        const { found, failed } = await cancelOpenDeliveries(endpointId, signal);
        swept.found += found;
        swept.failed += failed;
      }
    return swept;
  };
}

async function* openDeliveriesOf({ store }: RestartContext, endpointId: string) {
  for (const status of ['pending', 'retrying'] as const)
    yield* inBatches(
      undefined,
      batchSize,
      (after: string | undefined, limit) =>
        findOpenDeliveriesOfAnyOrganisation(store.db, { endpointId, status, after, limit }),
      ({ id }) => id,
    );
}

const restartsAtOnce = 20;

/**
 * Starts the workflows of all overdue deliveries again, at any pace. It is for an operator who repairs a service that does not run.
 * Returns the number of these deliveries.
 */
export async function restartOverdueDeliveries(ctx: RestartContext): Promise<number> {
  const dueBefore = overdueBefore(ctx);
  const { first, find, placeOf } = overdueList(ctx, () => dueBefore);
  const limits = { atOnce: restartsAtOnce, signal: new AbortController().signal };
  let overdue = 0;
  for await (const batch of inBatches(first, batchSize, find, placeOf)) {
    const failed = await forEachAtOnce(batch, limits, (delivery) => restart(ctx, delivery));
    if (failed > 0) throw new Unavailable('temporal');
    overdue += batch.length;
  }
  return overdue;
}

type Begin = (ctx: StartContext, delivery: RestartableDelivery) => Promise<void>;

/** For a delivery that is not overdue, but whose row was changed. */
export const wake: Begin = (ctx, delivery) => ctx.temporal.wakeDelivery(inputOf(ctx, delivery));

const restart: Begin = (ctx, delivery) => ctx.temporal.restartDelivery(inputOf(ctx, delivery));

function inputOf({ retryWaitsMs }: StartContext, delivery: RestartableDelivery): DeliveryInput {
  const { id: deliveryId, trigger, orgId, environment, verificationId } = delivery;
  const waitsMs = trigger === 'event' ? retryWaitsMs : noWaits;
  return { deliveryId, orgId, environment, verificationId, waitsMs };
}

type Paced = {
  pace: Pace;
  signal: AbortSignal;
  begin: Begin;
  /** A delivery that was due before this time and has no attempt waits for a worker. */
  dueBefore?: () => Date;
};

/** Begins the deliveries second by second, at the pace that the system can carry. Returns the number of failures. */
export async function beginAtPace(
  ctx: RestartContext,
  deliveries: readonly RestartableDelivery[],
  { pace, signal, begin, dueBefore = () => overdueBefore(ctx) }: Paced,
): Promise<number> {
  let failed = 0;
  let measuring: Promise<void> | undefined;
  for (let next = 0; next < deliveries.length && !signal.aborted; ) {
    const perSecond = pace.perSecond();
    const group = deliveries.slice(next, next + perSecond);
    next += group.length;
    const beganMs = performance.now();
    const begun = await beginOneByOne((each) => begin(ctx, each), group, 1_000 / perSecond, signal);
    failed += begun.failed;
    const last = group.at(-1);
    await measuring;
    if (last !== undefined && group.length === perSecond) {
      measuring = waitForWorker(ctx, last.id, dueBefore, begun.lastAtMs, signal).then(pace.adjust);
      // A failure is thrown where it is awaited.
      measuring.catch(() => undefined);
    }
    // If a pace is kept, the next second does not wait for slow workers.
    if (!pace.isKept()) await measuring;
    await pauseUnless(signal, Math.max(1_000 - (performance.now() - beganMs), 0));
  }
  await measuring;
  return failed;
}

/** Begins a delivery every `everyMs`, and does not wait for it before it begins the next. `lastAtMs` is when the last one began. */
async function beginOneByOne(
  begin: (delivery: RestartableDelivery) => Promise<void>,
  deliveries: readonly RestartableDelivery[],
  everyMs: number,
  signal: AbortSignal,
): Promise<{ failed: number; lastAtMs: number }> {
  const begun: Promise<boolean>[] = [];
  let lastAtMs = performance.now();
  for (const delivery of deliveries) {
    if (begun.length > 0) await pauseUnless(signal, everyMs);
    if (signal.aborted) break;
    lastAtMs = performance.now();
    begun.push(
      begin(delivery).then(
        () => true,
        () => false,
      ),
    );
  }
  return { failed: (await Promise.all(begun)).filter((hasBegun) => !hasBegun).length, lastAtMs };
}

const lookEveryMs = 10;
const waitMsMax = 1_000;

/** Returns the time from `sinceMs` until a worker takes up the delivery. Undefined if no worker does so in time. */
async function waitForWorker(
  ctx: RestartContext,
  id: string,
  dueBefore: () => Date,
  sinceMs: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  while (!(await isTakenUpOfAnyOrganisation(ctx.store.db, id, dueBefore()))) {
    if (signal.aborted || performance.now() - sinceMs > waitMsMax) return undefined;
    await pauseUnless(signal, lookEveryMs);
  }
  return performance.now() - sinceMs;
}
