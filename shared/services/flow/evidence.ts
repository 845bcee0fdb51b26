import { type OriginalKind, originalKinds } from '#contract/enums.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { awaitsConsent } from '#policy/flow.ts';
import type { Db } from '#store/connection.ts';
import { evidenceOf } from '#store/evidence.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/scope.ts';
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

/** Only the checks may read the pictures of a document, and the masking. Returns undefined if no front is stored. */
export const documentPictures = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId, ...ref }: VerificationRef,
) => openDocument(ctx, ctx.store.db, scopeOfWorkflow(ref), verificationId);

/** As `documentPictures`, for a transaction. */
export async function openDocument(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  scope: OrgScope,
  verificationId: string,
) {
  const found = await evidenceOf(scope, db, verificationId).pictures(originalKinds);
  const key = await findDataKey(ctx, db, scope, verificationId);
  const open = (kind: OriginalKind) => {
    const value = found.find((each) => each.kind === kind)?.picture ?? null;
    const binding = evidenceBinding(verificationId, kind);
    return value && openPersonal(ctx, key, { purpose: 'evidence', binding, value });
  };
  const front = open('passport_page') ?? open('card_front');
  return front === null ? undefined : { front, back: open('card_back') };
}
