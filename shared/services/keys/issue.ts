import type { Environment, Grant } from '#contract/enums.ts';
import { displayOfKey, hashApiKey, newApiKey } from '#platform/crypto/api-key.ts';
import { newUuid } from '#platform/crypto/crypto.ts';
import type { Db } from '#store/database/connection.ts';
import type { OrgScope } from '#store/database/scope.ts';
import type { Write } from '#store/database/statements.ts';
import { insertKey } from '#store/organisations/keys.ts';
import { type Actor, firstLine } from '../ledger/append.ts';

export type KeyProperties = {
  environment: Environment;
  grants: Grant[];
  name: string | null;
  rateLimit: number | null;
  expiresAt: Date | null;
};

export type IssuedKey = KeyProperties & { id: string; key: string; organisationId: string };

/**
 * Builds the writes of a key of this organisation and of its first line in the ledger. Only the result contains the key itself, because
 * the key is stored nowhere (specification 5.3).
 */
export function issueKey(
  tx: Db,
  scope: OrgScope,
  properties: KeyProperties,
  { actor, at }: { actor: Actor; at: Date },
): { issued: IssuedKey; writes: Write[] } {
  const { orgId } = scope;
  const key = newApiKey(properties.environment);
  const id = newUuid();
  const row = { ...properties, id, orgId, display: displayOfKey(key), hash: hashApiKey(key) };
  const line = firstLine(tx, scope, {
    subjectId: id,
    type: 'key.created',
    actor,
    data: {
      environment: properties.environment,
      scopes: properties.grants,
      rate_limit: properties.rateLimit,
      expires_at: properties.expiresAt?.toISOString() ?? null,
    },
    at,
  });
  return { issued: { ...properties, id, key, organisationId: orgId }, writes: [insertKey(tx, row), ...line] };
}
