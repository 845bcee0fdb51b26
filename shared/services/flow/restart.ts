import { findOverdueVisitsOfAnyOrganisation } from '#store/verifications/eid-transactions.ts';
import { findUnmaskedOfAnyOrganisation } from '#store/verifications/maskings.ts';
import { findUnsettledSubmissionsOfAnyOrganisation } from '#store/verifications/submissions.ts';
import { findUnstartedOfAnyOrganisation } from '#store/verifications/unstarted.ts';
import type { Context } from '../context.ts';
import type { Sweep } from '../portions/in-passes.ts';
import { createRunSweep } from '../runs/restart-runs.ts';

type SweepContext = Pick<Context, 'store' | 'temporal' | 'clock'>;

/** Returns a sweep of verifications whose workflow did not start (decision 42). */
export const createStartSweep = (ctx: SweepContext): Sweep =>
  createRunSweep(ctx, async (db, { before: dueBefore, ...page }) => {
    const rows = await findUnstartedOfAnyOrganisation(db, { ...page, dueBefore });
    return rows.map(({ id, runDueSince: at, ...row }) => ({
      place: { at, id },
      run: { verificationId: id, ...row },
    }));
  });

/** Returns a sweep of submissions without a verdict. */
export const createSubmissionSweep = (ctx: SweepContext): Sweep =>
  createRunSweep(ctx, async (db, { before: submittedBefore, ...page }) => {
    const rows = await findUnsettledSubmissionsOfAnyOrganisation(db, { ...page, submittedBefore });
    return rows.map(({ id, submittedAt: at, ...row }) => ({
      place: { at, id },
      run: { verificationId: id, ...row },
    }));
  });

/** Returns a sweep of verdicts whose document is not masked yet. */
export const createMaskingSweep = (ctx: SweepContext): Sweep =>
  createRunSweep(ctx, async (db, { before: completedBefore, ...page }) => {
    const rows = await findUnmaskedOfAnyOrganisation(db, { ...page, completedBefore });
    return rows.map(({ id, takenAt: at, ...row }) => ({
      place: { at, id },
      run: { verificationId: id, ...row },
    }));
  });

/** Returns a sweep of visits to banks for which nobody did in time what was due. */
export const createVisitSweep = (ctx: SweepContext): Sweep =>
  createRunSweep(ctx, async (db, { before: dueBefore, ...page }) => {
    const rows = await findOverdueVisitsOfAnyOrganisation(db, { ...page, dueBefore });
    return rows.map(({ id, nextAskAt: at, ...run }) => ({ place: { at, id }, run }));
  });
