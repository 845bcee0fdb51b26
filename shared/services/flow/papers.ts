import { Problem } from '#contract/errors.ts';
import { isPdf, paperLimits } from '#contract/income-papers.ts';
import { newUuid, sha256 } from '#platform/crypto.ts';
import { createFairQueue, QueueFull } from '#platform/fair-queue.ts';
import type { Db } from '#store/connection.ts';
import { evidenceOf } from '#store/evidence.ts';
import { incomeFilesOf } from '#store/income-files.ts';
import type { OrgScope } from '#store/scope.ts';
import { type LockedVerification, verificationsOf } from '#store/verifications.ts';
import type { Context } from '../context.ts';
import { requireDataKey } from '../personal/data-key.ts';
import { fileBinding } from '../personal/papers.ts';
import { acceptsEvidence, evidenceBinding, isByCurrentLink } from './evidence.ts';
import type { Link } from './find-link.ts';

/** Why a document is not taken. */
export const paperFaults = ['not_a_pdf', 'too_many_papers', 'same_paper'] as const;
export type PaperFault = (typeof paperFaults)[number];

/**
 * A document that waits takes up to 10 MB of memory, and the same again while it is sealed. Organisations take turns, so that many documents
 * of one do not keep those of another waiting.
 */
const inTurn = createFairQueue({ atOnceMax: 4, waitingPerOwnerMax: 8, waitingMax: 40 });

type PapersContext = Pick<Context, 'store' | 'secrets' | 'instruments'>;
type Place = { scope: OrgScope; id: string };

/**
 * Stores a document that a person hands in, or returns why not. In sandbox a document is checked as in live but not stored, because some
 * people hand in a real one there. Stores nothing if the case no longer accepts evidence, or has a fresh link.
 */
export async function handInPaper(
  ctx: PapersContext,
  link: Link,
  bytes: Buffer,
): Promise<PaperFault | 'too_many' | undefined> {
  if (!(await verificationsOf(link.scope, ctx.store.db).countPicture(link.id))) return 'too_many';
  const { orgId, environment } = link;
  const keepInTurn = () => inTurn(`${orgId}/${environment}`, () => keep(ctx, link, bytes));
  const fault = isPdf(bytes) ? await keepInTurn().catch(refuseIfFull) : 'not_a_pdf';
  ctx.instruments.flowSteps.add(1, { step: 'paper', outcome: fault ?? 'done', environment });
  return fault;
}

function refuseIfFull(error: unknown): never {
  throw error instanceof QueueFull ? new Problem('service_unavailable') : error;
}

const keep = (ctx: PapersContext, link: Link, bytes: Buffer): Promise<PaperFault | undefined> =>
  changed(ctx, link, async (tx, verification) => {
    if (link.environment === 'sandbox') return keepManifest(ctx, tx, link, verification);
    const files = incomeFilesOf(link.scope, tx, link.id);
    const kept = await files.list();
    const hash = sha256(bytes);
    if (kept.some((each) => each.sha256.equals(hash))) return 'same_paper';
    if (kept.length >= paperLimits.papersMax) return 'too_many_papers';
    const id = newUuid();
    const key = await requireDataKey(ctx, tx, link.scope, link.id);
    // The rows of the documents hang on that of their manifest.
    if (kept.length === 0) await keepManifest(ctx, tx, link, verification);
    await files.add({
      ...{ id, sha256: hash, size: bytes.length },
      file: key.seal(fileBinding(id, 'file'), bytes),
    });
    return keepManifest(ctx, tx, link, verification);
  });

/** Takes a document back before Send. Changes nothing if the case has no such document. */
export const removePaper = (ctx: PapersContext, link: Link, id: string): Promise<undefined> =>
  changed(ctx, link, async (tx, verification) => {
    const files = incomeFilesOf(link.scope, tx, link.id);
    const kept = await files.list();
    if (!kept.some((each) => each.id === id)) return undefined;
    await files.remove(id);
    if (kept.length > 1) return keepManifest(ctx, tx, link, verification);
    await evidenceOf(link.scope, tx, link.id).remove(['papers']);
    return undefined;
  });

const changed = <Outcome>(
  { store }: PapersContext,
  link: Link,
  change: (tx: Db, verification: LockedVerification) => Promise<Outcome | undefined>,
): Promise<Outcome | undefined> =>
  store.transaction(async (tx) => {
    const verification = await verificationsOf(link.scope, tx).lock(link.id);
    if (verification === undefined || !acceptsEvidence(verification)) return undefined;
    return isByCurrentLink(link, verification) ? change(tx, verification) : undefined;
  });

/** The manifest names every document, so that its hash, which the ledger has, stands for all of them. */
async function keepManifest(
  ctx: PapersContext,
  tx: Db,
  { scope, id }: Place,
  { linkExpiresAt: expiresAt }: LockedVerification,
): Promise<undefined> {
  const documents = await incomeFilesOf(scope, tx, id).list();
  const isStored = scope.environment === 'live';
  const manifest = Buffer.from(
    JSON.stringify(documents.map((each) => [each.id, each.sha256.toString('hex')])),
  );
  const key = isStored ? await requireDataKey(ctx, tx, scope, id) : undefined;
  await evidenceOf(scope, tx, id).keep({
    ...{ kind: 'papers', source: isStored ? 'upload' : null, expiresAt },
    picture: key?.seal(evidenceBinding(id, 'papers'), manifest) ?? null,
    sha256: isStored ? sha256(manifest) : null,
  });
}
