import { cachedFor } from '#platform/cached.ts';
import type { RootFiles } from '#platform/root-files.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { overdueBefore } from '#services/deliveries/restart.ts';
import { newestStatement } from '#services/ledger/roots.ts';
import { removalsWithoutReport } from '#services/relations/removals.ts';
import { purgeStates } from '#services/retention/overdue.ts';
import { countOpenDeliveriesOfAnyOrganisation } from '#store/deliveries.ts';
import { countedUpTo } from '#store/statements.ts';
import { countUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications.ts';
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

/**
 * Registers the metrics of open work. Only the leader among the workers serves them, because all workers would count the same. If a
 * value cannot be read, the metrics omit it.
 */
export function watchQueue(ctx: DeliveryContext, { leads }: Pick<Leader, 'leads'>): void {
  const { instruments, store, temporal } = ctx;
  const counted = <Found>(read: () => Promise<Found>, cachedMs = lifetimeMs) => {
    const cached = cachedFor(cachedMs, read);
    return async () => (leads() ? cached() : undefined);
  };
  // A counter is served from its first value on, and an alert needs the value 0 too.
  instruments.payloadsRefused.add(0);
  for (const order of ['start', 'submit', 'decline', 'verdict', 'review'])
    instruments.ordersRefused.add(0, { order });
  const deliveries = counted(() =>
    countOpenDeliveriesOfAnyOrganisation(store.db, { overdueBefore: overdueBefore(ctx), upTo: countedUpTo }),
  );
  instruments.deliveriesOpen.addCallback(async (result) => {
    const open = await deliveries();
    if (open === undefined) return;
    for (const state of ['waiting', 'due', 'overdue'] as const) result.observe(open[state], { state });
  });
  instruments.oldestDue.addCallback(async (result) => {
    const open = await deliveries();
    if (open !== undefined) result.observe(open.oldestDueSeconds);
  });

  const submissions = counted(() => countUnsettledSubmissionsOfAnyOrganisation(store.db, countedUpTo));
  instruments.submissionsOpen.addCallback(async (result) => {
    const open = await submissions();
    if (open !== undefined) result.observe(open);
  });

  const purges = counted(() => purgeStates(ctx), purgesLifetimeMs);
  instruments.purgeOverdue.addCallback(async (result) => {
    for (const { what, overdueMs } of (await purges()) ?? [])
      result.observe(overdueMs / 1_000, { kind: what });
  });
  instruments.purgeDone.addCallback(async (result) => {
    for (const { what, doneAt } of (await purges()) ?? [])
      result.observe((doneAt?.getTime() ?? 0) / 1_000, { kind: what });
  });
  const removals = counted(() => removalsWithoutReport(ctx), purgesLifetimeMs);
  instruments.removalsAhead.addCallback(async (result) => {
    const ahead = await removals();
    if (ahead !== undefined) result.observe(ahead);
  });
  const paused = counted(() => temporal.isHousekeepingPaused());
  instruments.housekeepingPaused.addCallback(async (result) => {
    const isPaused = await paused();
    if (isPaused !== undefined) result.observe(isPaused ? 1 : 0);
  });

  const workflows = counted(() => temporal.countRunning());
  instruments.workflowsOpen.addCallback(async (result) => {
    for (const [type, count] of Object.entries((await workflows()) ?? {})) result.observe(count, { type });
  });
}
