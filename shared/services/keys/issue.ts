import type { Environment, Grant } from '#contract/enums.ts';
import { displayOfKey, hashApiKey, newApiKey } from '#platform/api-key.ts';
import { newUuid } from '#platform/crypto.ts';
import type { Db } from '#store/connection.ts';
import { insertKey } from '#store/keys.ts';

export type KeyProperties = {
  organisationId: string;
  environment: Environment;
  grants: Grant[];
  name: string | null;
  rateLimit: number | null;
  expiresAt: Date | null;
};

export type IssuedKey = KeyProperties & { id: string; key: string };

/** Creates a key. Only the result contains the key itself, because the key is stored nowhere (specification 5.3). */
export async function issueKey(tx: Db, properties: KeyProperties): Promise<IssuedKey> {
  const { organisationId, ...stored } = properties;
  const key = newApiKey(properties.environment);
  const id = newUuid();
  await insertKey(tx, {
    ...stored,
    id,
    orgId: organisationId,
    display: displayOfKey(key),
    hash: hashApiKey(key),
  });
  return { ...properties, id, key };
}
