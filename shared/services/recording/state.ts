import type { Recorded } from '#contract/workflows.ts';
import type { LockedVerification } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { linkLeftMs } from '../views/link.ts';

/** The answer of an activity if no such row exists in the organisation and environment that the order names. */
export const noRow: Recorded = { status: 'missing', linkLeftMs: 0, submitted: false, deliveryIds: [] };

export const stateOf = (row: LockedVerification): Recorded => ({
  status: row.status,
  linkLeftMs: linkLeftMs(row),
  // After an erasure there is nothing to examine, so no verdict follows.
  submitted: row.submittedAt !== null && row.cancelledAt === null,
  deliveryIds: [],
  ...(row.cancelledAt !== null && { cancelled: true }),
});

/**
 * Counts an order that came through Temporal and that no row asks for. Either somebody else has access to Temporal, or the database
 * was restored to an older state (decision 36). The order changes nothing.
 */
export function refused(
  { instruments }: Pick<Context, 'instruments'>,
  order: 'start' | 'submit' | 'decline' | 'verdict' | 'review',
  row: LockedVerification,
): Recorded {
  instruments.ordersRefused.add(1, { order });
  return stateOf(row);
}
