import type { Environment, Grant } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import type { Db, Store } from '#store/connection.ts';
import { countWorkingKeys } from '#store/keys.ts';
import { ensureOrganisation } from '#store/organisations.ts';
import type { OrgScope } from '#store/scope.ts';
import { timeOf, writeAtOnce } from '#store/statements.ts';
import type { Actor } from '../ledger/append.ts';
import { type IssuedKey, issueKey } from './issue.ts';

type Wanted = {
  grants: Grant[];
  name?: string | undefined;
  rateLimit?: number | undefined;
  /** Null: the key works until it is revoked. Undefined: a live key ends after a year, and a sandbox key works until it is revoked. */
  expiresAt?: Date | null | undefined;
};

/** The end of a live key whose maker says nothing else. */
const liveKeyMonths = 12;

export type NewKey = Wanted & { organisation: string; environment: Environment };

/** Creates a key. If its organisation does not exist, creates the organisation too. */
export const createKey = (
  store: Store,
  wanted: NewKey,
  actor: Actor = { kind: 'operator' },
): Promise<IssuedKey> =>
  store.transaction(async (tx) => {
    const orgId = await ensureOrganisation(tx, wanted.organisation);
    return createIn(tx, { orgId, environment: wanted.environment }, wanted, actor);
  });

/**
 * Creates a key of this organisation and environment for a member. Returns undefined if `workingKeysMax` keys of the organisation work:
 * whoever makes more could hide one from the list.
 */
export const createKeyIn = (
  store: Store,
  scope: OrgScope,
  wanted: Wanted,
  actor: Actor,
): Promise<IssuedKey | undefined> =>
  store.transaction(async (tx) => {
    const max = limits.workingKeysMax;
    if ((await countWorkingKeys(scope, tx, max)) >= max) return undefined;
    return createIn(tx, scope, wanted, actor);
  });

async function createIn(
  tx: Db,
  { orgId, environment }: Pick<OrgScope, 'orgId' | 'environment'>,
  { grants, name, rateLimit, expiresAt }: Wanted,
  actor: Actor,
): Promise<IssuedKey> {
  const at = await timeOf(tx);
  const properties = {
    ...{ organisationId: orgId, environment, grants, name: name ?? null, rateLimit: rateLimit ?? null },
    expiresAt: expiresAt === undefined ? usualEnd(environment, at) : expiresAt,
  };
  const { issued, writes } = issueKey(tx, properties, actor, at);
  await writeAtOnce(tx, writes);
  return issued;
}

function usualEnd(environment: Environment, at: Date): Date | null {
  if (environment === 'sandbox') return null;
  const end = new Date(at);
  end.setUTCMonth(end.getUTCMonth() + liveKeyMonths);
  return end;
}
