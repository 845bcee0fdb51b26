import type { Environment, Grant } from '#contract/enums.ts';
import type { Store } from '#store/connection.ts';
import { ensureOrganisation } from '#store/organisations.ts';
import { timeOf, writeAtOnce } from '#store/statements.ts';
import type { Actor } from '../ledger/append.ts';
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
export const createKey = (
  store: Store,
  wanted: NewKey,
  actor: Actor = { kind: 'operator' },
): Promise<IssuedKey> =>
  store.transaction(async (tx) => {
    const properties = {
      organisationId: await ensureOrganisation(tx, wanted.organisation),
      environment: wanted.environment,
      grants: wanted.grants,
      name: wanted.name ?? null,
      rateLimit: wanted.rateLimit ?? null,
      expiresAt: wanted.expiresAt ?? null,
    };
    const { issued, writes } = issueKey(tx, properties, actor, await timeOf(tx));
    await writeAtOnce(tx, writes);
    return issued;
  });
