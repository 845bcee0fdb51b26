import { type EvidenceKind, originalKinds } from '#contract/enums.ts';
import type { VerificationRef } from '#contract/workflows.ts';
import { awaitsEvidence } from '#policy/flow.ts';
import { nextDocumentStep } from '#policy/methods/document.ts';
import type { Db } from '#store/database/connection.ts';
import { type OrgScope, scopeOfWorkflow } from '#store/database/scope.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import type { LockedVerification } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { evidenceBinding, findDataKey, openPersonal } from '../personal/data-key.ts';
import { type AskedFrames, askedFramesIn } from './movements/frames.ts';

/** Evidence is accepted while the flow awaits it and the link is valid. */
export const acceptsEvidence = (verification: LockedVerification): boolean =>
  awaitsEvidence(verification) && verification.linkExpiresAt > verification.now;

/** A verification, and the link that a step of its person came through. */
export type ByLink = { scope: OrgScope; id: string; linkVersion: number };

/**
 * A step is checked against its link when the request begins, and may be recorded much later. This is false if a fresh link has come
 * meanwhile. A command that an earlier version stored names no link.
 */
export const isByCurrentLink = (
  { linkVersion }: Partial<ByLink>,
  verification: LockedVerification,
): boolean => linkVersion === undefined || linkVersion === verification.linkVersion;

/** True if no picture of the document is missing. */
export const isDocumentComplete = (received: readonly EvidenceKind[]): boolean =>
  nextDocumentStep(received) === undefined;

/**
 * The evidence of a submission that can be examined. `selfie` is null if the method needs none. `movements` are the frames, `declined` if the
 * person went on without them, and null if nothing is known of any.
 */
export type Examinable = {
  front: Uint8Array;
  back: Uint8Array | null;
  selfie: Uint8Array | null;
  movements: AskedFrames | 'declined' | null;
};

/** Only the checks may read these pictures, and the masking. Returns undefined if no front is stored. */
export const examinablePictures = (
  ctx: Pick<Context, 'store' | 'secrets'>,
  { verificationId, ...ref }: VerificationRef,
): Promise<Examinable | undefined> => openExaminable(ctx, ctx.store.db, scopeOfWorkflow(ref), verificationId);

/** As `examinablePictures`, for a transaction. */
export async function openExaminable(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  scope: OrgScope,
  verificationId: string,
): Promise<Examinable | undefined> {
  const found = await evidenceOf(scope, db, verificationId).pictures(examinedKinds);
  const key = await findDataKey(ctx, db, scope, verificationId);
  const open = (kind: (typeof examinedKinds)[number]) => {
    const value = found.find((each) => each.kind === kind)?.picture ?? null;
    const binding = evidenceBinding(verificationId, kind);
    return value && openPersonal(ctx, key, { purpose: 'evidence', binding, value });
  };
  const front = open('passport_page') ?? open('card_front');
  if (front === null) return undefined;
  const frames = open('movements');
  const isDeclined = frames === null && found.some(({ kind }) => kind === 'movements');
  return {
    ...{ front, back: open('card_back'), selfie: open('selfie') },
    movements: isDeclined ? 'declined' : (frames && askedFramesIn(frames)) || null,
  };
}

const examinedKinds = [...originalKinds, 'selfie', 'movements'] as const;
