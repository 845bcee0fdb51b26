import { createDataKey, type DataKey, isSealedByDataKey, type Purpose } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import { type Write, writeAtOnce } from '#store/database/statements.ts';
import { dataKeysOf } from '#store/verifications/data-keys.ts';
import type { Context } from '../context.ts';

type WithSecrets = Pick<Context, 'secrets'>;

/** Binds a sealed data key to its verification. */
export const dataKeyBinding = (verificationId: string) => `data-key/${verificationId}`;

/** Binds a sealed picture to its row, so that it cannot be opened in another row. */
export const evidenceBinding = (verificationId: string, kind: string) => `evidence/${verificationId}/${kind}`;

/** Makes the data key of a verification, and the write that stores it. */
export function newDataKey(
  { secrets }: WithSecrets,
  tx: Db,
  scope: OrgScope,
  verificationId: string,
): { key: DataKey; write: Write } {
  const key = createDataKey();
  const sealed = secrets.seal('data-key', dataKeyBinding(verificationId), key.bytes);
  return { key, write: dataKeysOf(scope, tx).insert(verificationId, sealed) };
}

/**
 * Returns the data key of a verification, and makes one if there is none. The caller must hold a lock on the verification, and the
 * verification must not be erased.
 */
export async function requireDataKey(
  ctx: WithSecrets,
  tx: Db,
  scope: OrgScope,
  verificationId: string,
): Promise<DataKey> {
  const found = await findDataKey(ctx, tx, scope, verificationId);
  if (found !== undefined) return found;
  const { key, write } = newDataKey(ctx, tx, scope, verificationId);
  await writeAtOnce(tx, [write]);
  return key;
}

/** Undefined if nothing was stored of the person, or if it was erased. */
export async function findDataKey(
  { secrets }: WithSecrets,
  db: Db,
  scope: OrgScope,
  verificationId: string,
): Promise<DataKey | undefined> {
  const sealed = await dataKeysOf(scope, db).find(verificationId);
  return sealed && createDataKey(secrets.openBytes('data-key', dataKeyBinding(verificationId), sealed));
}

/** Opens a value of a person. A version without data keys sealed its values with SECRETS_KEY. */
export function openPersonal(
  { secrets }: WithSecrets,
  key: DataKey | undefined,
  {
    purpose,
    binding,
    value,
  }: { purpose: Extract<Purpose, 'evidence' | 'ledger-personal'>; binding: string; value: Buffer },
): Buffer {
  if (!isSealedByDataKey(value)) return secrets.openBytes(purpose, binding, value);
  if (key === undefined) throw new Error('the data key of the verification is gone');
  return key.open(binding, value);
}
