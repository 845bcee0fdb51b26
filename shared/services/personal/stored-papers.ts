import type { PictureSource } from '#contract/enums.ts';
import type { SentFile } from '#contract/sent-file.ts';
import { newUuid, sha256 } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { evidenceOf } from '#store/verifications/evidence.ts';
import { incomeFilesOf } from '#store/verifications/income-files.ts';
import type { Context } from '../context.ts';
import { evidenceBinding, requireDataKey } from './data-key.ts';
import { fileBinding } from './papers.ts';

/** A document of an income check that is to be stored, and the id of its row. */
export type NewPaper = { id: string; sha256: Buffer; bytes: Buffer };

/** The documents that a partner sends with a create. */
export function newPapers(files: readonly SentFile[]): NewPaper[] {
  // The rows are read in the order of their ids, and ids of one millisecond come in any order.
  const ids = files.map(newUuid).sort();
  return files.map(({ bytes, sha256: hash }, place) => ({
    ...{ id: String(ids[place]), sha256: Buffer.from(hash, 'hex'), bytes },
  }));
}

/**
 * An income check. `expiresAt` is the time until which its documents are kept unless they are sent. `source` is null if no browser sent them.
 */
type Place = { scope: OrgScope; id: string; expiresAt: Date; source: PictureSource | null };

type WithSecrets = Pick<Context, 'secrets'>;

type Named = Pick<NewPaper, 'id' | 'sha256'>;

/** Stores documents beside those that are kept, sealed. In sandbox it stores only that there are some. The caller holds a lock on the case. */
export async function addPapers(
  ctx: WithSecrets,
  tx: Db,
  place: Place,
  { kept, papers }: { kept: readonly Named[]; papers: readonly NewPaper[] },
): Promise<void> {
  const { scope, id: verificationId } = place;
  const files = incomeFilesOf(scope, tx, verificationId);
  // The rows of the documents hang on that of their manifest.
  await keepManifest(ctx, tx, place, [...kept, ...papers]);
  if (scope.environment === 'sandbox') return;
  const key = await requireDataKey(ctx, tx, scope, verificationId);
  for (const { id, sha256: hash, bytes } of papers) {
    const file = key.seal(fileBinding(id, 'file'), bytes);
    await files.add({ id, sha256: hash, size: bytes.length, file });
  }
}

/** Takes a document back. Changes nothing if the case has no such document. */
export async function takePaperBack(ctx: WithSecrets, tx: Db, place: Place, id: string): Promise<void> {
  const files = incomeFilesOf(place.scope, tx, place.id);
  const kept = await files.list();
  const left = kept.filter((each) => each.id !== id);
  if (left.length === kept.length) return;
  await files.remove(id);
  if (left.length > 0) await keepManifest(ctx, tx, place, left);
  else await evidenceOf(place.scope, tx, place.id).remove(['papers']);
}

/** The manifest names every document, so that its hash, which the ledger has, stands for all of them. */
async function keepManifest(
  ctx: WithSecrets,
  tx: Db,
  { scope, id, expiresAt, source }: Place,
  documents: readonly Named[],
): Promise<void> {
  const isStored = scope.environment === 'live';
  const manifest = Buffer.from(
    JSON.stringify(documents.map((each) => [each.id, each.sha256.toString('hex')])),
  );
  const key = isStored ? await requireDataKey(ctx, tx, scope, id) : undefined;
  await evidenceOf(scope, tx, id).keep({
    ...{ kind: 'papers', source: isStored ? source : null, expiresAt },
    picture: key?.seal(evidenceBinding(id, 'papers'), manifest) ?? null,
    sha256: isStored ? sha256(manifest) : null,
  });
}
