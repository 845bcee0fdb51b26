import type { Method, ReviewOutcome, StoredKind } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import { verificationMethods } from '#policy/methods/table.ts';
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
export type ReviewedPicture = { kind: StoredKind; jpeg: Buffer | null };

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
    const pictures = await picturesOf(ctx, tx, scope, { verificationId, method: open.method });
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
  { verificationId, method }: { verificationId: string; method: Method },
): Promise<ReviewedPicture[]> {
  const key = await findDataKey(ctx, tx, scope, verificationId);
  const evidence = await evidenceOf(scope, tx, verificationId).all();
  if (scope.environment === 'sandbox' && evidence.length === 0) return specimensOf(method);
  return evidence.map(({ kind, picture: value }) => {
    const binding = evidenceBinding(verificationId, kind);
    return { kind, jpeg: value && openPersonal(ctx, key, { purpose: 'evidence', binding, value }) };
  });
}

/** What a person would hand in, for a sandbox verification that nobody walked through. */
const specimensOf = (method: Method): ReviewedPicture[] =>
  verificationMethods[method].consents.flatMap((item): ReviewedPicture[] => {
    if (item === 'document') return [{ kind: 'passport_page', jpeg: null }];
    return item === 'face' ? [{ kind: 'selfie', jpeg: null }] : [];
  });
