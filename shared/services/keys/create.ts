import type { Environment, Grant } from '#contract/enums.ts';
import type { Store } from '#store/connection.ts';
import { ensureOrganisation } from '#store/organisations.ts';
import type { OrgScope } from '#store/scope.ts';
import { timeOf, writeAtOnce } from '#store/statements.ts';
import type { Actor } from '../ledger/append.ts';
import { type IssuedKey, issueKey } from './issue.ts';

type Wanted = {
  grants: Grant[];
  name?: string | undefined;
  rateLimit?: number | undefined;
  expiresAt?: Date | undefined;
};

export type NewKey = Wanted & { organisation: string; environment: Environment };

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
      ...stored(wanted),
    };
    const { issued, writes } = issueKey(tx, properties, actor, await timeOf(tx));
    await writeAtOnce(tx, writes);
    return issued;
  });

/** Creates a key of this organisation and environment. */
export const createKeyIn = (
  store: Store,
  { orgId, environment }: OrgScope,
  wanted: Wanted,
  actor: Actor,
): Promise<IssuedKey> =>
  store.transaction(async (tx) => {
    const properties = { organisationId: orgId, environment, ...stored(wanted) };
    const { issued, writes } = issueKey(tx, properties, actor, await timeOf(tx));
    await writeAtOnce(tx, writes);
    return issued;
  });

const stored = ({ grants, name, rateLimit, expiresAt }: Wanted) => ({
  grants,
  name: name ?? null,
  rateLimit: rateLimit ?? null,
  expiresAt: expiresAt ?? null,
});
