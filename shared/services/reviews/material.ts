import type { Advice, EvidenceKind, Method, ReviewOutcome } from '#contract/enums.ts';
import type { Check } from '#contract/workflows.ts';
import type { ReasonId } from '#policy/reasons.ts';
import { type Basis, reviewerReasons } from '#policy/reviews.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { ledgerOf } from '#store/ledger.ts';
import { reviewClaimsOf } from '#store/reviews/review-claims.ts';
import { assertMay, type Caller, memberIdOf } from '../caller.ts';
import { lockSubject, requireOpen } from './open.ts';
import { noteLook, openPictures, type PicturesContext, type Shown } from './pictures.ts';
import { ReviewRefused } from './refused.ts';

/** Advice on a picture that the person sent all the same. */
export type Unheeded = { kind: EvidenceKind; advice: Advice };

export type Material = Shown & {
  verificationId: string;
  method: Method;
  /** What the reviewer has to go by. If a picture is missing, only a rejection is offered. */
  basis: Basis;
  /** The first picture is deleted then. Null if there is none. */
  picturesEndAt: Date | null;
  checks: Check[];
  /** What the person was told about a picture before Send, and did not follow. */
  unheeded: Unheeded[];
  /** Why the machine did not approve. */
  reasonIds: ReasonId[];
  /** The reasons that the member can choose from. An approval names all of them. */
  offered: Record<ReviewOutcome, ReasonId[]>;
};

/**
 * Shows the member who has the claim what there is to assess. Each look is a line of the ledger that names the kinds of the pictures and
 * the member. The line is committed before anything is shown. What another member chose is never shown.
 */
export async function openMaterial(
  ctx: PicturesContext,
  caller: Caller,
  { id: verificationId }: { id: string },
): Promise<Material> {
  assertMay(caller, 'queue.decide');
  const { actor, scope } = caller;
  const memberId = memberIdOf(caller);
  return ctx.store.transaction(async (tx) => {
    const open = await requireOpen(tx, scope, await lockSubject(tx, scope, verificationId));
    if (!(await reviewClaimsOf(scope, tx, verificationId).holds(memberId)))
      throw new ReviewRefused('claim_lost');
    const shown = await openPictures(ctx, tx, scope, { id: verificationId, method: open.method });
    await noteLook(tx, scope, { id: verificationId, actor, at: open.at, shown });
    const unheeded = await unheededOf(tx, scope, verificationId);
    const { method, grounds, verdict, picturesEndAt = null } = open;
    return {
      ...{ verificationId, method, basis: grounds.basis, ...shown, picturesEndAt },
      ...{ checks: verdict.checks, unheeded },
      reasonIds: verdict.reasonIds as ReasonId[],
      offered: {
        approved: reviewerReasons(grounds, 'approved'),
        rejected: reviewerReasons(grounds, 'rejected'),
      },
    };
  });
}

/** The line of the submission keeps it. The pictures that it was about are replaced by masked copies. */
async function unheededOf(tx: Db, scope: OrgScope, verificationId: string): Promise<Unheeded[]> {
  const lines = await ledgerOf(scope, tx).lines(verificationId);
  const { data } = lines.findLast(({ type }) => type === 'verification.submitted') ?? {};
  const sent = (data?.evidence ?? []) as { kind: EvidenceKind; advice?: Advice }[];
  return sent.flatMap(({ kind, advice }) => (advice === undefined ? [] : [{ kind, advice }]));
}
