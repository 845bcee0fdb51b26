import type { Environment, Grant } from '#contract/enums.ts';
import { limits } from '#contract/limits.ts';
import { timeOf, writeAtOnce } from '#store/database/statements.ts';
import { countWorkingKeys } from '#store/organisations/keys.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';
import { type IssuedKey, issueKey } from './issue.ts';

export type NewKey = {
  grants: Grant[];
  name?: string | undefined;
  rateLimit?: number | undefined;
  /** Null: the key works until it is revoked. Undefined: a live key ends after a year, and a sandbox key works until it is revoked. */
  expiresAt?: Date | null | undefined;
};

/** The end of a live key whose maker says nothing else. */
const liveKeyMonths = 12;

/**
 * Creates a key of the caller's organisation and environment. Returns undefined if `workingKeysMax` keys of the organisation work: whoever
 * makes more could hide one from the list.
 */
export async function createKey(
  { store }: Pick<Context, 'store'>,
  caller: Caller,
  { grants, name, rateLimit, expiresAt }: NewKey,
): Promise<IssuedKey | undefined> {
  assertMay(caller, 'keys.change');
  const { scope, actor } = caller;
  return store.transaction(async (tx) => {
    const max = limits.workingKeysMax;
    if ((await countWorkingKeys(scope, tx, max)) >= max) return undefined;
    const at = await timeOf(tx);
    const { environment } = scope;
    const end = expiresAt === undefined ? usualEnd(environment, at) : expiresAt;
    const properties = {
      environment,
      grants,
      name: name ?? null,
      rateLimit: rateLimit ?? null,
      expiresAt: end,
    };
    const { issued, writes } = issueKey(tx, scope, properties, { actor, at });
    await writeAtOnce(tx, writes);
    return issued;
  });
}

function usualEnd(environment: Environment, at: Date): Date | null {
  if (environment === 'sandbox') return null;
  const end = new Date(at);
  end.setUTCMonth(end.getUTCMonth() + liveKeyMonths);
  return end;
}
