import { findDueReviewsOfAnyOrganisation } from '#store/reviews/review-decisions.ts';
import type { Context } from '../context.ts';
import type { Sweep } from '../portions/in-passes.ts';
import { createRunSweep } from '../runs/restart-runs.ts';

/** Returns a sweep of reviewers' decisions that were not carried out, because their order was lost. */
export const createReviewSweep = (ctx: Pick<Context, 'store' | 'temporal' | 'clock'>): Sweep =>
  createRunSweep(ctx, async (db, { before: storedBefore, ...page }) => {
    const rows = await findDueReviewsOfAnyOrganisation(db, { ...page, storedBefore });
    return rows.map(({ id, createdAt: at, ...run }) => ({ place: { at, id }, run }));
  });
