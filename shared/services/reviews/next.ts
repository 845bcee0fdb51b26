import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import type { Context } from '../context.ts';
import { claimReview } from './claim.ts';
import { listQueue } from './queue.ts';
import { ReviewRefused } from './refused.ts';

/** How many of the oldest are tried. Beyond them, the member chooses from the queue. */
const tried = 50;

/**
 * Gives the member the oldest verification of the queue that they can decide: one that they have already, or that nobody has. Returns its
 * id, or undefined if there is none. One whose copy is still being made is left for later.
 */
export async function claimNext(
  ctx: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
): Promise<string | undefined> {
  assertMay(caller, 'queue.decide');
  const memberId = memberIdOf(caller);
  const { data } = await listQueue(ctx, caller, { limit: tried });
  for (const { id, claim, decidedByMember, isCopyDue } of data) {
    if (isCopyDue || decidedByMember || (claim !== null && claim.memberId !== memberId)) continue;
    try {
      await claimReview(ctx, caller, { id });
      return id;
    } catch (error) {
      // Another member was faster, or may not decide together with who decided before.
      if (!(error instanceof ReviewRefused)) throw error;
    }
  }
  return undefined;
}
