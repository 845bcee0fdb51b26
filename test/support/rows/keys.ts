import type { Environment } from '#contract/enums.ts';
import { callerOfOperator } from '#services/caller.ts';
import { operatorAtKey } from '#services/keys/by-operator.ts';
import { createKey, type NewKey } from '#services/keys/create.ts';
import type { IssuedKey } from '#services/keys/issue.ts';
import { revokeKey } from '#services/keys/revoke.ts';
import { type Rotation, rotateKey } from '#services/keys/rotate.ts';
import type { Store } from '#store/database/connection.ts';
import { ensureOrganisation } from '#store/organisations/organisations.ts';

/** Makes a key as the operator's command does: of an organisation that need not exist. */
export async function makeKey(
  store: Store,
  { organisation, environment, ...wanted }: NewKey & { organisation: string; environment: Environment },
): Promise<IssuedKey> {
  const orgId = await ensureOrganisation(store.db, organisation);
  const made = await createKey({ store }, callerOfOperator({ orgId, environment }), wanted);
  if (made === undefined) throw new Error(`${organisation} has too many keys`);
  return made;
}

/** Revokes a key as the operator's command does. */
export async function revoke(store: Store, id: string): Promise<boolean> {
  const operator = await operatorAtKey({ store }, { id });
  return operator !== undefined && revokeKey({ store }, operator, { id });
}

/** Rotates a key as the operator's command does. */
export async function rotate(store: Store, id: string, overlapMs: number): Promise<Rotation> {
  const operator = await operatorAtKey({ store }, { id });
  return operator === undefined ? { refused: 'unknown' } : rotateKey({ store }, operator, { id, overlapMs });
}
