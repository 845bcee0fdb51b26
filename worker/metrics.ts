import type { ObservableGauge } from '@opentelemetry/api';
import { type Environment, environments } from '#contract/enums.ts';
import { cachedFor } from '#platform/cached.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import type { DeliveryContext } from '#services/attempts/context.ts';
import { overdueBefore } from '#services/deliveries/restart.ts';
import { countOpenClaims, countUnmasked, countUnstarted } from '#services/inspection/open-work.ts';
import { newestStatement } from '#services/ledger/roots.ts';
import { removalsWithoutReport } from '#services/relations/removals.ts';
import { purgeStates } from '#services/retention/overdue.ts';
import { countedUpTo, type Open } from '#store/database/statements.ts';
import { contractTimesOfAnyOrganisation } from '#store/organisations/eid-contracts.ts';
import { countQueueOfAnyOrganisation } from '#store/reviews/review-queue.ts';
import { countUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications/submissions.ts';
import { countOpenDeliveriesOfAnyOrganisation } from '#store/webhooks/deliveries.ts';
import { oldestQueuedOfAnyOrganisation } from '#store/webhooks/delivery-queue.ts';
import type { Leader } from './leader.ts';

/** Values are cached for this time, so that frequent reads of the metrics cause no extra work in Postgres and Temporal. */
const lifetimeMs = 10_000;
const purgesLifetimeMs = 60_000;
const rootsLifetimeMs = 60_000;

/** Registers the metrics of the signed roots of the ledger. Only the leader serves them. */
export function watchRoots(
  { instruments }: Pick<DeliveryContext, 'instruments'>,
  { leads }: Pick<Leader, 'leads'>,
  roots: RootFiles,
): void {
  const newest = cachedFor(rootsLifetimeMs, async () => (await newestStatement(roots))?.statement ?? null);
  const observed = async () => (leads() ? newest() : undefined);
  instruments.ledgerSigned.addCallback(async (result) => {
    const statement = await observed();
    if (statement !== undefined) result.observe(statement ? Date.parse(statement.at) / 1_000 : 0);
  });
  instruments.ledgerBroken.addCallback(async (result) => {
    const statement = await observed();
    if (statement !== undefined) result.observe(statement?.broken_chains ?? 0);
  });
}

/** Serves what `read` gives. If that is undefined, the metric is omitted. */
const observedFrom = (gauge: ObservableGauge, read: () => Promise<number | undefined>) =>
  gauge.addCallback(async (result) => {
    const value = await read();
    if (value !== undefined) result.observe(value);
  });

/** Registers the metrics of the contracts with banks. Only the leader serves them. */
export function watchContracts(
  { instruments, store: { db } }: Pick<DeliveryContext, 'instruments' | 'store'>,
  { leads }: Pick<Leader, 'leads'>,
): void {
  const times = cachedFor(purgesLifetimeMs, () => contractTimesOfAnyOrganisation(db));
  const observed = async () => (leads() ? times() : undefined);
  observedFrom(instruments.certificateLeft, async () => (await observed())?.certificateLeft);
  observedFrom(instruments.bankListAge, async () => (await observed())?.bankListAge);
}

const countedBy =
  (leads: Leader['leads']) =>
  <Found>(read: () => Promise<Found>, cachedMs = lifetimeMs) => {
    const cached = cachedFor(cachedMs, read);
    return async () => (leads() ? cached() : undefined);
  };

type Queued = { waiting: number; oldestSeconds: number };
const emptyQueue: Queued = { waiting: 0, oldestSeconds: 0 };

/**
 * Registers the metrics of open work. Only the leader among the workers serves them, because all workers would count the same. If a
 * value cannot be read, the metrics omit it.
 */
export function watchQueue(ctx: DeliveryContext, { leads }: Pick<Leader, 'leads'>): void {
  const { instruments, store, temporal } = ctx;
  const counted = countedBy(leads);
  // A counter is served from its first value on, and an alert needs the value 0 too.
  instruments.payloadsRefused.add(0);
  instruments.deferredWaits.add(0);
  for (const order of ['start', 'submit', 'decline', 'verdict', 'review'])
    instruments.ordersRefused.add(0, { order });
  for (const status of ['delivered', 'failed', 'cancelled'] as const)
    instruments.deliveriesSettled.add(0, { status });
  const deliveries = counted(() =>
    countOpenDeliveriesOfAnyOrganisation(store.db, { overdueBefore: overdueBefore(ctx), upTo: countedUpTo }),
  );
  instruments.deliveriesOpen.addCallback(async (result) => {
    const open = await deliveries();
    if (open === undefined) return;
    for (const state of ['waiting', 'due', 'overdue', 'queued'] as const)
      result.observe(open[state], { state });
  });
  observedFrom(instruments.oldestDue, async () => (await deliveries())?.oldestDueSeconds);
  observedFrom(
    instruments.oldestQueued,
    counted(() => oldestQueuedOfAnyOrganisation(store.db)),
  );

  const openAndOldest = (open: ObservableGauge, oldest: ObservableGauge, read: () => Promise<Open>) => {
    const found = counted(read);
    observedFrom(open, async () => (await found())?.open);
    observedFrom(oldest, async () => (await found())?.oldestSeconds);
  };
  openAndOldest(instruments.submissionsOpen, instruments.oldestSubmission, () =>
    countUnsettledSubmissionsOfAnyOrganisation(store.db, countedUpTo),
  );
  openAndOldest(instruments.workflowsUnstarted, instruments.oldestUnstarted, () => countUnstarted(ctx));
  openAndOldest(instruments.claimsOpen, instruments.oldestClaim, () => countOpenClaims(ctx));
  openAndOldest(instruments.documentsUnmasked, instruments.oldestUnmasked, () => countUnmasked(ctx));

  const queue = counted(() => countQueueOfAnyOrganisation(store.db, countedUpTo));
  const byEnvironment = async (tell: (environment: Environment, queued: Queued) => void) => {
    const found = await queue();
    if (found === undefined) return;
    for (const environment of environments)
      tell(environment, found.find((each) => each.environment === environment) ?? emptyQueue);
  };
  instruments.reviewsWaiting.addCallback((result) =>
    byEnvironment((environment, { waiting }) => result.observe(waiting, { environment })),
  );
  instruments.oldestReview.addCallback((result) =>
    byEnvironment((environment, { oldestSeconds }) => result.observe(oldestSeconds, { environment })),
  );

  watchPurges(ctx, counted);

  const workflows = counted(() => temporal.countRunning());
  instruments.workflowsOpen.addCallback(async (result) => {
    for (const [type, count] of Object.entries((await workflows()) ?? {})) result.observe(count, { type });
  });
}

/** Registers the metrics of housekeeping. */
function watchPurges(ctx: DeliveryContext, counted: ReturnType<typeof countedBy>): void {
  const { instruments, temporal } = ctx;
  const purges = counted(() => purgeStates(ctx), purgesLifetimeMs);
  instruments.purgeOverdue.addCallback(async (result) => {
    for (const { what, overdueMs } of (await purges()) ?? [])
      result.observe(overdueMs / 1_000, { kind: what });
  });
  instruments.purgeDone.addCallback(async (result) => {
    for (const { what, doneAt } of (await purges()) ?? [])
      result.observe((doneAt?.getTime() ?? 0) / 1_000, { kind: what });
  });
  observedFrom(
    instruments.removalsAhead,
    counted(() => removalsWithoutReport(ctx), purgesLifetimeMs),
  );
  observedFrom(
    instruments.housekeepingPaused,
    counted(async () => ((await temporal.isHousekeepingPaused()) ? 1 : 0)),
  );
}
