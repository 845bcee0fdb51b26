import { ReadDocument } from '#contract/documents/read-fields.ts';
import { originalKinds } from '#contract/enums.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { evidenceEndOf, evidenceOf } from '#store/verifications/evidence.ts';
import type { Context } from '../context.ts';
import { evidenceBinding, requireDataKey } from './data-key.ts';

/**
 * Keeps what was read of the document, sealed, beside its pictures, and as long. Replaces what was read before; null if nothing was.
 * The caller must hold a lock on the verification, which is not erased.
 */
export async function keepFields(
  ctx: Pick<Context, 'secrets'>,
  tx: Db,
  scope: OrgScope,
  id: string,
  read: ReadDocument | null,
): Promise<void> {
  const evidence = evidenceOf(scope, tx, id);
  const stored = await evidenceEndOf(scope, tx, id).stored();
  const original = stored.find(({ kind }) => originalKinds.some((each) => each === kind));
  if (read === null || read.fields.length === 0 || original === undefined) return evidence.remove(['fields']);
  const bytes = Buffer.from(JSON.stringify(read));
  const key = await requireDataKey(ctx, tx, scope, id);
  await evidence.keep({
    ...{ kind: 'fields', source: null, expiresAt: original.expiresAt, sha256: sha256(bytes) },
    picture: key.seal(evidenceBinding(id, 'fields'), bytes),
  });
}

/** What was read of a document, as it was sealed. */
export const readIn = (bytes: Buffer): ReadDocument => ReadDocument.parse(JSON.parse(String(bytes)));
