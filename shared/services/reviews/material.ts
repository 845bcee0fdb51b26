import type { EvidenceKind, Method, ReviewOutcome } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import type { ReasonId } from '#policy/reasons.ts';
import { type Basis, reviewerReasons } from '#policy/reviews.ts';
import type { Db } from '#store/connection.ts';
import { evidenceOf } from '#store/evidence.ts';
import { reviewClaimsOf } from '#store/review-claims.ts';
import type { OrgScope } from '#store/scope.ts';
import { writeAtOnce } from '#store/statements.ts';
import type { Context } from '../context.ts';
import { evidenceBinding } from '../flow/evidence.ts';
import { nextLine } from '../ledger/append.ts';
import { findDataKey, openPersonal } from '../personal/data-key.ts';
import type { Member, ReviewContext } from './context.ts';
import { lockSubject, requireOpen } from './open.ts';
import { ReviewRefused } from './refused.ts';

type MaterialContext = ReviewContext & Pick<Context, 'secrets'>;

/** A picture of an end user. `jpeg` is null in sandbox, which stores no picture: a page shows a specimen. */
export type ReviewedPicture = { kind: EvidenceKind; takenAt: Date; jpeg: Buffer | null };

export type Material = {
  verificationId: string;
  method: Method;
  /** What the reviewer has to go by. Without pictures only a rejection is offered. */
  basis: Basis;
  pictures: ReviewedPicture[];
  /** The first picture is deleted then. Null if there is none. */
  picturesEndAt: Date | null;
  checks: Check[];
  /** Why the machine did not approve. */
  reasonIds: ReasonId[];
  /** The reasons that the member can choose from. An approval names all of them. */
  offered: Record<ReviewOutcome, ReasonId[]>;
};

/**
 * Shows the member who has the claim what there is to assess. Each look is a line of the ledger that names the kinds of the pictures and
 * the member. The line is committed before anything is shown. What another member chose is never shown.
 */
export const openMaterial = (
  ctx: MaterialContext,
  member: Member,
  verificationId: string,
): Promise<Material> =>
  ctx.store.transaction(async (tx) => {
    const { scope } = ctx;
    const open = await requireOpen(tx, scope, await lockSubject(tx, scope, verificationId));
    if (!(await reviewClaimsOf(scope, tx, verificationId).holds(member.id)))
      throw new ReviewRefused('claim_lost');
    const pictures = await picturesOf(ctx, tx, scope, verificationId);
    const shown = pictures.filter(({ jpeg }) => jpeg !== null).map(({ kind }) => kind);
    if (shown.length > 0)
      await writeAtOnce(
        tx,
        await nextLine(tx, scope, {
          ...{ subjectId: verificationId, type: 'evidence.viewed', at: open.at },
          ...{ actor: { kind: 'member', id: member.id }, data: { kinds: shown } },
        }),
      );
    const { method, basis, verdict, picturesEndAt = null } = open;
    return {
      ...{ verificationId, method, basis, pictures, picturesEndAt },
      checks: verdict.checks,
      reasonIds: verdict.reasonIds as ReasonId[],
      offered: {
        approved: reviewerReasons(method, basis, 'approved'),
        rejected: reviewerReasons(method, basis, 'rejected'),
      },
    };
  });

async function picturesOf(
  ctx: MaterialContext,
  tx: Db,
  scope: OrgScope,
  verificationId: string,
): Promise<ReviewedPicture[]> {
  const key = await findDataKey(ctx, tx, scope, verificationId);
  const evidence = await evidenceOf(scope, tx, verificationId).all();
  return evidence.map(({ kind, picture: value, takenAt }) => {
    const binding = evidenceBinding(verificationId, kind);
    return { kind, takenAt, jpeg: value && openPersonal(ctx, key, { purpose: 'evidence', binding, value }) };
  });
}
