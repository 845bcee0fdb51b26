import { countedUpTo, type Open } from '#store/database/statements.ts';
import { countOpenClaimsOfAnyOrganisation } from '#store/requests.ts';
import { countUnmaskedOfAnyOrganisation } from '#store/verifications/maskings.ts';
import { countUnstartedOfAnyOrganisation } from '#store/verifications/unstarted.ts';
import { countOpenDeliveriesOfAnyOrganisation } from '#store/webhooks/deliveries.ts';
import type { Context } from '../context.ts';
import { overdueBefore } from '../deliveries/restart.ts';
import { runOverdueBefore } from '../runs/restart-runs.ts';

const claimOpenMs = 600_000;

/** Counts claims that have waited for their answer for over ten minutes. The count ends at `countedUpTo`. */
export const countOpenClaims = ({ store, clock }: Pick<Context, 'store' | 'clock'>): Promise<Open> =>
  countOpenClaimsOfAnyOrganisation(store.db, {
    ...{ claimedBefore: new Date(clock.now().getTime() - claimOpenMs), upTo: countedUpTo },
  });

/** Counts verifications whose workflow should have started over 75 seconds ago. The count ends at `countedUpTo`. */
export const countUnstarted = (ctx: Pick<Context, 'store' | 'clock'>): Promise<Open> =>
  countUnstartedOfAnyOrganisation(ctx.store.db, { dueBefore: runOverdueBefore(ctx), upTo: countedUpTo });

/** Counts verdicts whose document is not masked yet. The count ends at `countedUpTo`. */
export const countUnmasked = ({ store }: Pick<Context, 'store'>): Promise<Open> =>
  countUnmaskedOfAnyOrganisation(store.db, countedUpTo);

/** Counts overdue deliveries, workflows that did not start, and claims that have waited for their answer for over ten minutes. Each count ends at `countedUpTo`. */
export async function openWork(
  ctx: Pick<Context, 'store' | 'clock'>,
): Promise<{ overdueDeliveries: number; unstarted: number; openClaims: number }> {
  const { overdue } = await countOpenDeliveriesOfAnyOrganisation(ctx.store.db, {
    ...{ overdueBefore: overdueBefore(ctx), upTo: countedUpTo },
  });
  return {
    overdueDeliveries: overdue,
    unstarted: (await countUnstarted(ctx)).open,
    openClaims: (await countOpenClaims(ctx)).open,
  };
}
