import { Problem } from '#contract/errors.ts';
import { isPdf, paperLimits } from '#contract/income/papers.ts';
import { newUuid, sha256 } from '#platform/crypto/crypto.ts';
import { createFairQueue, QueueFull } from '#platform/limits/fair-queue.ts';
import type { Db } from '#store/database/connection.ts';
import { incomeFilesOf } from '#store/verifications/income-files.ts';
import { verificationsOf } from '#store/verifications/verifications.ts';
import type { Context } from '../context.ts';
import { addPapers, takePaperBack } from '../personal/stored-papers.ts';
import { acceptsEvidence, isByCurrentLink } from './evidence.ts';
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
  changed(ctx, link, async (tx, expiresAt) => {
    const kept = await incomeFilesOf(link.scope, tx, link.id).list();
    const hash = sha256(bytes);
    if (kept.some((each) => each.sha256.equals(hash))) return 'same_paper';
    if (kept.length >= paperLimits.papersMax) return 'too_many_papers';
    const papers = [{ id: newUuid(), sha256: hash, bytes }];
    await addPapers(ctx, tx, { ...link, expiresAt, source }, { kept, papers });
    return undefined;
  });

/** Takes a document back before Send. Changes nothing if the case has no such document. */
export const removePaper = (ctx: PapersContext, link: Link, id: string): Promise<void> =>
  changed(ctx, link, (tx, expiresAt) => takePaperBack(ctx, tx, { ...link, expiresAt, source }, id));

const source = 'upload';

const changed = async <Outcome>(
  { store }: PapersContext,
  link: Link,
  change: (tx: Db, expiresAt: Date) => Promise<Outcome>,
): Promise<Outcome | undefined> =>
  store.transaction(async (tx) => {
    const verification = await verificationsOf(link.scope, tx).lock(link.id);
    if (verification === undefined || !acceptsEvidence(verification)) return undefined;
    return isByCurrentLink(link, verification) ? change(tx, verification.linkExpiresAt) : undefined;
  });
