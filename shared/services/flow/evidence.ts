import type { EvidenceKind } from '#contract/enums.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { awaitsConsent } from '#policy/flow.ts';
import { documentPictures as pictureKinds } from '#policy/methods/document.ts';
import { evidenceOf } from '#store/evidence.ts';
import { scopeOfWorkflow } from '#store/scope.ts';
import type { LockedVerification } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { findDataKey, openPersonal } from '../personal/data-key.ts';

/** Binds a sealed picture to its row, so that it cannot be opened in another row. */
export const evidenceBinding = (verificationId: string, kind: string) => `evidence/${verificationId}/${kind}`;

/**
 * Evidence is accepted after the person pressed Start, until the person submits or withdraws, the link expires, or the verification is
 * completed or cancelled.
 */
export const acceptsEvidence = (verification: LockedVerification): boolean => {
  const { status, submittedAt, linkExpiresAt, cancelledAt, now } = verification;
  return (
    status === 'in_progress' &&
    !awaitsConsent(verification) &&
    submittedAt === null &&
    cancelledAt === null &&
    linkExpiresAt > now
  );
};

/**
 * The pictures of a document for the checks. A reviewer gets them from `reviews/material.ts`. Returns undefined if no front is stored, for example because the pictures
 * were deleted.
 */
export async function documentPictures(
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId, ...ref }: VerificationRef,
) {
  const scope = scopeOfWorkflow(ref);
  const found = await evidenceOf(scope, ctx.store.db, verificationId).pictures(pictureKinds);
  const key = await findDataKey(ctx, ctx.store.db, scope, verificationId);
  const open = (kind: EvidenceKind) => {
    const value = found.find((each) => each.kind === kind)?.picture ?? null;
    const binding = evidenceBinding(verificationId, kind);
    return value && openPersonal(ctx, key, { purpose: 'evidence', binding, value });
  };
  const front = open('passport_page') ?? open('card_front');
  return front === null ? undefined : { front, back: open('card_back') };
}
