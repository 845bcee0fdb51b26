import type { Environment, Grant } from '#contract/enums.ts';
import { displayOfKey, hashApiKey, newApiKey } from '#platform/api-key.ts';
import { newUuid } from '#platform/crypto.ts';
import { ensureOrganisation } from '#store/organisations.ts';
import type { Store } from '#store/orm.ts';

export type NewKey = {
  organisation: string;
  environment: Environment;
  grants: Grant[];
  name?: string | undefined;
  rateLimit?: number | undefined;
  expiresAt?: Date | undefined;
};

export type CreatedKey = NewKey & { id: string; key: string; organisationId: string };

/** Makes a key, and the organisation when it is new. The key itself is in this result and nowhere else (specification 5.3). */
export const createKey = (store: Store, wanted: NewKey): Promise<CreatedKey> =>
  store.transaction(async (tx) => {
    const organisationId = await ensureOrganisation(tx, wanted.organisation);
    const key = newApiKey(wanted.environment);
    const id = newUuid();
    const row = {
      id,
      orgId: organisationId,
      environment: wanted.environment,
      name: wanted.name ?? null,
      display: displayOfKey(key),
      hash: hashApiKey(key),
      grants: wanted.grants,
      rateLimit: wanted.rateLimit ?? null,
      expiresAt: wanted.expiresAt ?? null,
    };
    await tx.insertInto('api_keys').values(row).execute();
    return { ...wanted, id, key, organisationId };
  });
