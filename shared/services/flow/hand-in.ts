import type { EvidenceKind, PictureSource } from '#contract/enums.ts';
import { Problem } from '#contract/errors.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { NotStarted } from '#platform/isolated/programs.ts';
import { createFairQueue, QueueFull } from '#platform/limits/fair-queue.ts';
import { decodersMax, type PictureDecoder } from '#platform/pictures/decoders.ts';
import type { PictureFault } from '#platform/pictures/picture.ts';
import { acceptsAt, evidenceFor, replacedBy } from '#policy/flow.ts';
import type { Db } from '#store/database/connection.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { evidenceBinding, requireDataKey } from '../personal/data-key.ts';
import { acceptsEvidence, isByCurrentLink } from './evidence.ts';
import type { Link } from './find-link.ts';

/**
 * A decoded picture takes up to 200 MB of memory, and an upload that waits takes up to 12 MB. Organisations take turns, so that an
 * organisation with many uploads does not block the uploads of other organisations. All together hold no more than about 500 MB, and one
 * upload of each further organisation.
 */
const inTurn = createFairQueue({ atOnceMax: decodersMax, waitingPerOwnerMax: 8, waitingMax: 40 });

type EvidenceContext = Pick<Context, 'store' | 'secrets' | 'instruments'>;

/**
 * Stores a picture that a person uploads, or returns the fault of the picture. In sandbox a picture is checked as in live but not
 * stored, because some people upload a real document there.
 */
export async function handIn(
  ctx: EvidenceContext & { decoder: PictureDecoder },
  link: Link,
  kind: EvidenceKind,
  { bytes, source }: { bytes: Uint8Array; source: PictureSource },
): Promise<PictureFault | 'too_many' | undefined> {
  if (!(await verificationsOf(link.scope, ctx.store.db).countPicture(link.id))) return 'too_many';
  const picture = await inTurn(`${link.orgId}/${link.environment}`, () =>
    ctx.decoder.take(bytes, kind === 'selfie' ? 'portrait' : 'document'),
  ).catch((error: unknown) => {
    throw error instanceof QueueFull || error instanceof NotStarted
      ? new Problem('service_unavailable')
      : error;
  });
  const outcome = 'fault' in picture ? picture.fault : 'done';
  ctx.instruments.flowSteps.add(1, { step: 'picture', outcome, environment: link.environment });
  if ('fault' in picture) return picture.fault;
  const jpeg = link.environment === 'live' ? picture.jpeg : null;
  await keepEvidence(ctx, link, kind, { bytes: jpeg, source });
  return undefined;
}

/** For sandbox only. Records evidence without a picture: a specimen, or the confirmation of the example bank. */
export const handInSpecimen = (ctx: EvidenceContext, link: Link, kind: EvidenceKind): Promise<void> =>
  keepEvidence(ctx, link, kind, { bytes: null, source: null });

/** True if the flow accepts this evidence at its current step. If false, the upload is dropped without being parsed. */
export const acceptsNow = ({ step }: Link, kind: EvidenceKind): boolean => acceptsAt(step, kind);

/** True if the method of the verification uses this evidence at any step. */
export const isUsed = ({ environment, method }: Link, kind: EvidenceKind): boolean =>
  evidenceFor(environment, method).includes(kind);

/** Stores nothing if the verification no longer accepts evidence, or has a fresh link. `bytes` are null where nothing is stored of it. */
export async function keepEvidence(
  ctx: EvidenceContext,
  link: Link,
  kind: EvidenceKind,
  { bytes, source }: { bytes: Buffer | null; source: PictureSource | null },
): Promise<void> {
  await ctx.store.transaction(async (tx) => {
    const verification = await verificationsOf(link.scope, tx).lock(link.id);
    if (verification === undefined || !acceptsEvidence(verification)) return;
    if (!isByCurrentLink(link, verification)) return;
    const picture = bytes && (await sealEvidence(ctx, tx, link, kind, bytes));
    const evidence = evidenceOf(link.scope, tx, link.id);
    await evidence.remove(replacedBy(kind));
    await evidence.keep({
      ...{ kind, picture, source, sha256: bytes && sha256(bytes) },
      // Until Send. A flow that nobody finishes leaves no picture behind, however often its link is renewed.
      expiresAt: verification.linkExpiresAt,
    });
  });
}

async function sealEvidence(
  ctx: EvidenceContext,
  tx: Db,
  { scope, id }: Link,
  kind: EvidenceKind,
  bytes: Buffer,
) {
  const key = await requireDataKey(ctx, tx, scope, id);
  return key.seal(evidenceBinding(id, kind), bytes);
}
