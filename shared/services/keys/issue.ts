import type { Environment, Grant } from '#contract/enums.ts';
import { displayOfKey, hashApiKey, newApiKey } from '#platform/api-key.ts';
import { newUuid } from '#platform/crypto.ts';
import type { Db } from '#store/connection.ts';
import { insertKey } from '#store/keys.ts';
import { scopeOfOperator } from '#store/scope.ts';
import type { Write } from '#store/statements.ts';
import { type Actor, firstLine } from '../ledger/append.ts';

export type KeyProperties = {
  organisationId: string;
  environment: Environment;
  grants: Grant[];
  name: string | null;
  rateLimit: number | null;
  expiresAt: Date | null;
};

/** Who changes a key. With `orgId`, keys of other organisations are unknown. Without it, the caller is the operator. */
export type KeyChanger = { actor: Actor; orgId?: string };
export const theOperator: KeyChanger = { actor: { kind: 'operator' } };

export type IssuedKey = KeyProperties & { id: string; key: string };

/**
 * Builds the writes of a key and of its first line in the ledger. Only the result contains the key itself, because the key is stored
 * nowhere (specification 5.3).
 */
export function issueKey(
  tx: Db,
  properties: KeyProperties,
  actor: Actor,
  at: Date,
): { issued: IssuedKey; writes: Write[] } {
  const { organisationId: orgId, ...stored } = properties;
  const key = newApiKey(properties.environment);
  const id = newUuid();
  const row = { ...stored, id, orgId, display: displayOfKey(key), hash: hashApiKey(key) };
  const line = firstLine(tx, scopeOfOperator(row), {
    subjectId: id,
    type: 'key.created',
    actor,
    data: {
      environment: stored.environment,
      scopes: stored.grants,
      rate_limit: stored.rateLimit,
      expires_at: stored.expiresAt?.toISOString() ?? null,
    },
    at,
  });
  return { issued: { ...properties, id, key }, writes: [insertKey(tx, row), ...line] };
}
