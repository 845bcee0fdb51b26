import type { Environment, Grant } from '#contract/enums.ts';
import type { Store } from '#store/connection.ts';
import { ensureOrganisation } from '#store/organisations.ts';
import { type IssuedKey, issueKey } from './issue.ts';

export type NewKey = {
  organisation: string;
  environment: Environment;
  grants: Grant[];
  name?: string | undefined;
  rateLimit?: number | undefined;
  expiresAt?: Date | undefined;
};

/** Creates a key. If its organisation does not exist, creates the organisation too. */
export const createKey = (store: Store, wanted: NewKey): Promise<IssuedKey> =>
  store.transaction(async (tx) =>
    issueKey(tx, {
      organisationId: await ensureOrganisation(tx, wanted.organisation),
      environment: wanted.environment,
      grants: wanted.grants,
      name: wanted.name ?? null,
      rateLimit: wanted.rateLimit ?? null,
      expiresAt: wanted.expiresAt ?? null,
    }),
  );
