import { countOpenDeliveriesOfAnyOrganisation } from '#store/deliveries.ts';
import { countOpenClaimsOfAnyOrganisation } from '#store/requests.ts';
import { countedUpTo } from '#store/statements.ts';
import type { Context } from '../context.ts';
import { overdueBefore } from '../deliveries/restart.ts';

const claimOpenMs = 600_000;

/** Counts overdue deliveries, and claims that have waited for their answer for over ten minutes. Each count ends at `countedUpTo`. */
export async function openWork(
  ctx: Pick<Context, 'store' | 'clock'>,
): Promise<{ overdueDeliveries: number; openClaims: number }> {
  const { db } = ctx.store;
  const upTo = countedUpTo;
  const claimedBefore = new Date(ctx.clock.now().getTime() - claimOpenMs);
  const { overdue } = await countOpenDeliveriesOfAnyOrganisation(db, {
    overdueBefore: overdueBefore(ctx),
    upTo,
  });
  return {
    overdueDeliveries: overdue,
    openClaims: await countOpenClaimsOfAnyOrganisation(db, { claimedBefore, upTo }),
  };
}
