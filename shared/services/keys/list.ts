import { limits } from '#contract/limits.ts';
import { keyOfOrganisation, keysOfOrganisation } from '#store/organisations/keys.ts';
import { assertMay, type Caller } from '../caller.ts';
import type { Context } from '../context.ts';

/** A key of an organisation, as a list shows it: never the key itself. */
export type ListedKey = Awaited<ReturnType<typeof keysOfOrganisation>>[number] & { state: KeyState };

/** A replaced key works until its overlap ends. After that it is `expired`. */
export type KeyState = 'valid' | 'replaced' | 'expired' | 'revoked';

/** The keys of both environments of the organisation: those that work first, then the newest first. */
export async function listKeys(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
): Promise<ListedKey[]> {
  assertMay(caller, 'keys.see');
  const now = clock.now();
  const rows = await keysOfOrganisation(caller.scope, store.db, limits.workingKeysMax);
  return rows.map((row) => ({ ...row, state: stateOf(row, now) }));
}

/** Undefined if the organisation has no such key. */
export async function findKey(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  caller: Caller,
  { id }: { id: string },
): Promise<ListedKey | undefined> {
  assertMay(caller, 'keys.see');
  const row = await keyOfOrganisation(caller.scope, store.db, id);
  return row && { ...row, state: stateOf(row, clock.now()) };
}

type Row = { revokedAt: Date | null; expiresAt: Date | null; replacedBy: string | null };

function stateOf({ revokedAt, expiresAt, replacedBy }: Row, now: Date): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return replacedBy === null ? 'valid' : 'replaced';
}
