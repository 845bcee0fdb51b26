import { cachedFor } from '#platform/cached.ts';
import type { DeliveryContext } from '#services/deliveries/context.ts';
import { overdueBefore } from '#services/deliveries/start.ts';
import { countOpenDeliveriesOfAnyOrganisation } from '#store/deliveries.ts';
import { countUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications.ts';

/** Values are cached for this time, so that frequent reads of the metrics cause no extra work in Postgres and Temporal. */
const lifetimeMs = 10_000;

/** Registers the metrics of open work. If a value cannot be read, the metrics omit it. */
export function watchQueue(ctx: DeliveryContext): void {
  const { instruments, store, temporal } = ctx;
  // A counter is served from its first value on, and an alert needs the value 0 too.
  instruments.forgedVerdicts.add(0);
  const deliveries = cachedFor(lifetimeMs, () =>
    countOpenDeliveriesOfAnyOrganisation(store.db, overdueBefore(ctx)),
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

  const submissions = cachedFor(lifetimeMs, () => countUnsettledSubmissionsOfAnyOrganisation(store.db));
  instruments.submissionsOpen.addCallback(async (result) => {
    const open = await submissions();
    if (open !== undefined) result.observe(open);
  });

  const workflows = cachedFor(lifetimeMs, () => temporal.countRunning());
  instruments.workflowsOpen.addCallback(async (result) => {
    for (const [type, count] of Object.entries((await workflows()) ?? {})) result.observe(count, { type });
  });
}
